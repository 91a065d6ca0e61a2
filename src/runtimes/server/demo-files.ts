import { createErrorResponse } from '../../http/error-response.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { refuseMethod } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import { createPageFiles } from './page-files.ts'

/** Serves the files of the demo at the root of a server, and nothing else. */
interface DemoFiles {
  isBuilt(): Promise<boolean>
  answer(request: WireRequest): Promise<WireResponse>
}

export function createDemoFiles(): DemoFiles {
  const files = createPageFiles('demo')
  return {
    isBuilt: async () => (await files.list()).includes('index.html'),
    async answer(request) {
      const name = request.path === '/' ? 'index.html' : request.path.slice(1)
      const isThere = (await files.list()).includes(name)
      if (!isThere) return createErrorResponse('not_found', `The demo has no file ${hideInAddress(request.path)}`)
      if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request, 'GET, HEAD')
      const file = await files.answer(name, request)
      return file ?? createErrorResponse('not_found', `The demo has no file ${hideInAddress(request.path)} any more`)
    },
  }
}

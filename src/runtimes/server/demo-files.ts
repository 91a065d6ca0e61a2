import { createErrorResponse } from '../../http/error-response.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { refuseMethod } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import { createPageFiles } from './page-files.ts'

/** Serves the files of the demo at the root of a server, and nothing else. */
export interface DemoFiles {
  isBuilt(): Promise<boolean>
  answer(call: WireRequest): Promise<WireResponse>
}

export function createDemoFiles(): DemoFiles {
  const files = createPageFiles('demo')
  return {
    isBuilt: async () => (await files.list()).includes('index.html'),
    async answer(call) {
      const name = call.path === '/' ? 'index.html' : call.path.slice(1)
      const isThere = (await files.list()).includes(name)
      if (!isThere) return createErrorResponse('not_found', `The demo has no file ${hideInAddress(call.path)}`)
      if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, 'GET, HEAD')
      const file = await files.answer(name, call)
      return file ?? createErrorResponse('not_found', `The demo has no file ${hideInAddress(call.path)} any more`)
    },
  }
}

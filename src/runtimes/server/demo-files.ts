import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/call.ts'
import { createErrorAnswer } from '../../contract/error-answer.ts'
import { hideInAddress } from '../../contract/hide-credentials.ts'
import { refuseMethod } from '../../contract/router.ts'
import { createPageFiles } from './page-files.ts'

/** The demo's files at the root of a server: the page, and what lies beside it. Nothing else is there. */
export interface DemoFiles {
  isBuilt(): Promise<boolean>
  answer(call: Call): Promise<Answer>
}

export function createDemoFiles(): DemoFiles {
  const files = createPageFiles('demo')
  return {
    isBuilt: async () => (await files.list()).includes('index.html'),
    async answer(call) {
      const name = call.path === '/' ? 'index.html' : call.path.slice(1)
      const isThere = (await files.list()).includes(name)
      if (!isThere) return createErrorAnswer('not_found', `The demo has no file ${hideInAddress(call.path)}`)
      if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, 'GET, HEAD')
      const file = await files.answer(name, call)
      return file ?? createErrorAnswer('not_found', `The demo has no file ${hideInAddress(call.path)} any more`)
    },
  }
}

import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/call.ts'
import { createErrorAnswer } from '../../contract/error-answer.ts'
import { refuseMethod } from '../../contract/router.ts'
import { answerPageFile, listPageFiles } from './page-files.ts'

/** A name with what is in the file in it, which so never changes. */
const IMMUTABLE = /-[\w-]{8}\.(js|css)$/

/** The demo's files at the root of a server: the page, and what lies beside it. Nothing else is there. */
export async function answerDemo(call: Call): Promise<Answer> {
  const name = call.path === '/' ? 'index.html' : call.path.slice(1)
  const isThere = (await listPageFiles('demo')).includes(name)
  if (!isThere) return createErrorAnswer('not_found', `The demo has no file ${call.path}`)
  if (call.method !== 'GET' && call.method !== 'HEAD') return refuseMethod(call, 'GET, HEAD')
  const file = await answerPageFile('demo', name)
  if (file === undefined) return createErrorAnswer('not_found', `The demo has no file ${call.path} any more`)
  const cacheControl = IMMUTABLE.test(name) ? 'max-age=31536000, immutable' : 'no-cache'
  return { ...file, headers: { ...file.headers, 'cache-control': cacheControl } }
}

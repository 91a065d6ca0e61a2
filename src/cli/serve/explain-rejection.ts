import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'
import type { ServerFlags } from './serve-flags.ts'
import { isResponse } from './serve-log.ts'

interface RejectionContext {
  readonly flags: Pick<ServerFlags, 'apiKey' | 'anyKey'>
  /** Whether `demo-key` opens a sandbox. It can be revoked at run time. */
  readonly hasDemoKey: (sandbox: string) => boolean
}

/** Without the name: a rejected key is never shown, not even a part of it. */
const INVALID_SANDBOX =
  'The name of the sandbox after ~ is invalid: use 1 to 64 letters, digits, dots, underscores and hyphens'

const KEY_PROBLEMS = {
  missing: 'The request has no Authorization header',
  scheme: 'Its Authorization header does not begin with "Bearer "',
} as const

/** Explains what to do about a rejected request; `undefined` if the message of its error is enough. */
export function explainRejection(
  { sandbox, status, error, keyProblem, fault, isProxied, isStubbed }: RequestLogEntry,
  { flags, hasDemoKey }: RejectionContext,
): string | undefined {
  const isOfService = sandbox !== undefined && !isResponse(fault) && (isProxied ?? isStubbed) === undefined
  if (!isOfService) return undefined
  // A profile may rename the code.
  if (status !== 401 || error === undefined) return undefined
  if (keyProblem === 'sandbox') return INVALID_SANDBOX
  const advice = explainKey(flags, hasDemoKey(sandbox))
  return keyProblem === undefined ? advice : `${KEY_PROBLEMS[keyProblem]}. ${advice}`
}

/** Others may read the log, so it never shows a key that somebody chose. */
function explainKey({ apiKey, anyKey }: RejectionContext['flags'], hasDemoKey: boolean): string {
  if (!apiKey.includes(DEFAULT_API_KEY)) return 'Send a key of --api-key'
  if (!hasDemoKey) {
    if (anyKey) return 'Send any key that is not revoked'
    if (apiKey.length > 1) return 'Send a key of --api-key that is not revoked'
    return `${DEFAULT_API_KEY} is revoked until the sandbox is reset`
  }
  return `Send ${anyKey ? 'any key: ' : ''}authorization: Bearer ${DEFAULT_API_KEY}`
}

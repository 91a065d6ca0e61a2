import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { type BaseUrls, isBelow } from '../../http/base-url.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'
import type { ServeFlags } from './serve-flags.ts'

/** Explains what to do about a rejected request; `undefined` if the message of its error is enough. */
export function explainRejection(
  { sandbox, error, fault, isProxied, isStubbed, path }: RequestLogEntry,
  { bases, flags }: { readonly bases: BaseUrls; readonly flags: Pick<ServeFlags, 'apiKey' | 'anyKey'> },
): string | undefined {
  const isOfService = sandbox !== undefined && (fault ?? isProxied ?? isStubbed) === undefined
  if (!isOfService) return undefined
  if (error?.code === 'unauthorized') return explainKey(flags)
  if (error?.code === 'not_found' && !isBelow(bases, path)) return `The API is below ${bases[0].path}`
  return undefined
}

/** Others may read the log, so it never shows a key that somebody chose. */
function explainKey({ apiKey, anyKey }: Pick<ServeFlags, 'apiKey' | 'anyKey'>): string {
  if (!apiKey.includes(DEFAULT_API_KEY)) return 'Send a key of --api-key'
  return `Send ${anyKey ? 'any key: ' : ''}authorization: Bearer ${DEFAULT_API_KEY}`
}

import { MockError } from '../http/mock-error.ts'
import { DEFAULT_SANDBOX, isSandboxName } from './sandbox-name.ts'

/** The result of checking an `Authorization` header: the sandbox of a valid key, or why the header was rejected. */
export type AuthResult =
  | { readonly kind: 'valid'; readonly sandbox: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' }

const MISSING: AuthResult = { kind: 'missing' }

/** Checks API keys. */
export interface Authenticator {
  /** Checks an `Authorization` header (RFC 6750, section 2.1). */
  authenticate(authorization: string | undefined): AuthResult
  /** A key that opens the named sandbox. */
  toApiKey(sandbox: string): string
}

/** The only valid key unless `apiKeys` or `anyKey` is set. */
export const DEFAULT_API_KEY = 'demo-key'

// RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
const BEARER = /^bearer(?: +(.*))?$/i

/**
 * Creates an authenticator. `key` opens the default sandbox, `key~name` the sandbox of that name.
 * @throws {MockError} `INVALID_OPTION` for a key that is not a b64token or contains `~`.
 */
export function createAuthenticator(apiKeys: readonly string[], anyKey: boolean): Authenticator {
  for (const [index, key] of apiKeys.entries()) assertApiKey(key, index + 1)
  const keys = new Set(apiKeys)
  // Cached, because a client sends the same header with every request.
  let last = { authorization: '', result: MISSING }

  function read(authorization: string): AuthResult {
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined || token === '') return MISSING
    const [key = '', name = DEFAULT_SANDBOX, ...rest] = token.split('~')
    const isValid =
      B64TOKEN.test(token) && rest.length === 0 && isSandboxName(name) && key !== '' && (anyKey || keys.has(key))
    return isValid ? { kind: 'valid', sandbox: name } : { kind: 'invalid' }
  }

  return {
    authenticate(authorization) {
      if (authorization === undefined) return MISSING
      if (authorization !== last.authorization) last = { authorization, result: read(authorization) }
      return last.result
    },
    toApiKey(sandbox) {
      if (sandbox === DEFAULT_SANDBOX) return apiKeys[0] ?? DEFAULT_API_KEY
      // A b64token may have `=` only at its end, so no name can follow a padded key.
      const key = apiKeys.find((candidate) => !candidate.endsWith('='))
      if (key !== undefined) return `${key}~${sandbox}`
      throw new MockError(
        'INVALID_SANDBOX',
        `Failed to make a key for the sandbox ${sandbox}: every API key ends with =. Add a key without padding.`,
      )
    },
  }
}

/** The message does not contain the key, because messages end up in logs. */
function assertApiKey(key: unknown, position: number): void {
  const isText = typeof key === 'string'
  if (isText && B64TOKEN.test(key) && !key.includes('~')) return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to create the mock: API key ${position} (${isText ? `${key.length} characters` : typeof key}) is invalid. Use letters, digits and - . _ + / with = only at the end; ~ is reserved for a sandbox's name.`,
  )
}

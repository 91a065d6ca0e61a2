import { MockError } from '../http/mock-error.ts'
import { DEFAULT_SANDBOX, isSandboxName } from './sandbox-name.ts'

/** What an `Authorization` header says: which sandbox a valid key opens, or why there is none. */
export type AuthResult =
  | { readonly kind: 'valid'; readonly sandbox: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' }

const MISSING: AuthResult = { kind: 'missing' }

/** Knows the valid keys. */
export interface Authenticator {
  /** Reads an `Authorization` header by RFC 6750, section 2.1. */
  authenticate(authorization: string | undefined): AuthResult
  /** A key that opens the named sandbox. */
  toApiKey(sandbox: string): string
}

/** The key that is valid unless others are given. */
export const DEFAULT_API_KEY = 'demo-key'

// RFC 6750, section 2.1; the scheme's name has no case (RFC 9110, section 11.1).
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
const BEARER = /^bearer(?: +(.*))?$/i

/**
 * Makes the keyring. A key opens the default sandbox, `key~name` the sandbox of that name.
 * @throws {MockError} `INVALID_OPTION` for a key that is no b64token or holds a `~`.
 */
export function createAuthenticator(apiKeys: readonly string[], anyKey: boolean): Authenticator {
  for (const [index, key] of apiKeys.entries()) assertApiKey(key, index + 1)
  const keys = new Set(apiKeys)
  // A client sends the same header again and again.
  let last = { authorization: '', credential: MISSING }

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
      if (authorization !== last.authorization) last = { authorization, credential: read(authorization) }
      return last.credential
    },
    toApiKey(sandbox) {
      if (sandbox === DEFAULT_SANDBOX) return apiKeys[0] ?? DEFAULT_API_KEY
      // A b64token ends with its padding, so a padded key cannot carry a name.
      const key = apiKeys.find((candidate) => !candidate.endsWith('='))
      if (key !== undefined) return `${key}~${sandbox}`
      throw new MockError(
        'INVALID_SANDBOX',
        `Failed to make a key for the sandbox ${sandbox}: every API key ends with =. Add a key without padding.`,
      )
    },
  }
}

/** The message ends up in logs, and names the key without repeating it. */
function assertApiKey(key: unknown, position: number): void {
  const isText = typeof key === 'string'
  if (isText && B64TOKEN.test(key) && !key.includes('~')) return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to create the mock: API key ${position}, ${isText ? `of ${key.length} characters` : `of the type ${typeof key}`}, is not usable. A key is made of letters, digits and - . _ + / with = at its end; ~ separates a sandbox's name.`,
  )
}

import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import type { KeyProblem } from '../http/wire-request.ts'

/** The sandbox that a key without `~name` opens. */
export const DEFAULT_SANDBOX = 'default'

const NAME = /^[A-Za-z0-9._-]{1,64}$/

export function isSandboxName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}

/** @throws {MockError} `INVALID_SANDBOX` */
export function assertSandboxName(name: unknown): asserts name is string {
  if (isSandboxName(name)) return
  throw new MockError(
    'INVALID_SANDBOX',
    `Failed to open a sandbox: ${showValue(name, 40)} is not a valid name. Use 1 to 64 letters, digits, dots, underscores and hyphens.`,
  )
}

/** The sandbox is the one that the key or `baggage` names, else the default one. Without a valid key, it may not exist. */
export interface AuthResult {
  readonly kind: 'valid' | 'missing' | 'invalid'
  readonly sandbox: string
  readonly problem?: KeyProblem | undefined
}

/** Checks API keys. */
export interface Authenticator {
  /**
   * Checks an `Authorization` header (RFC 6750, section 2.1).
   * @param baggage Names the sandbox if the key names none.
   */
  authenticate(authorization: string | undefined, baggage?: string): AuthResult
  /** A key that opens the named sandbox. */
  toApiKey(sandbox: string): string
  /** Whether the mock was created with this key. With `anyKey`, other keys are valid too. */
  isOwn(key: string): boolean
}

/** The only valid key unless `apiKeys` or `anyKey` is set. */
export const DEFAULT_API_KEY = 'demo-key'

// RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
const BEARER = /^bearer +([^ ].*)/is

/**
 * Creates an authenticator. `key` opens the default sandbox, `key~name` the sandbox of that name.
 * @throws {MockError} `INVALID_OPTION` for a key that is not a b64token or contains `~`.
 */
export function createAuthenticator(apiKeys: readonly string[], anyKey: boolean): Authenticator {
  for (const [index, key] of apiKeys.entries())
    assertApiKey(key, { failure: 'Failed to create the mock', subject: `API key ${index + 1}` })
  const keys = new Set(apiKeys)

  return {
    authenticate(authorization, baggage) {
      const named = findSandbox(baggage) ?? DEFAULT_SANDBOX
      if (authorization === undefined) return { kind: 'missing', sandbox: named, problem: 'missing' }
      const [, token] = BEARER.exec(authorization) ?? []
      if (token === undefined) return { kind: 'missing', sandbox: named, problem: 'scheme' }
      const [key = '', ...names] = token.split('~')
      const sandbox = names.length === 0 ? named : names.join('~')
      const problem = isSandboxName(sandbox) ? undefined : 'sandbox'
      const isKnown = key !== '' && (anyKey || keys.has(key))
      if (isKnown && B64TOKEN.test(token) && problem === undefined) return { kind: 'valid', sandbox }
      // The name in an invalid key is nobody's.
      return { kind: 'invalid', sandbox: names.length === 0 ? named : DEFAULT_SANDBOX, problem }
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
    isOwn: (key) => keys.has(key),
  }
}

// https://www.w3.org/TR/baggage/#baggage-http-header-format
const MEMBER = /^\s*petstore-mock-sandbox\s*=([^;]*)/

/** The value in a `baggage` header, also one that is no name of a sandbox. Other members are ignored; the last one counts. */
export function findSandbox(baggage: string | undefined): string | undefined {
  if (baggage === undefined) return undefined
  const values = baggage.split(',').map((member) => MEMBER.exec(member)?.[1])
  const decode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))
  return values
    .findLast((value) => value !== undefined)
    ?.trim()
    .replaceAll(/%([\da-f]{2})/gi, decode)
}

function toKeyError(failure: string, reason: string): MockError {
  return new MockError('INVALID_OPTION', `${failure}: ${reason}`)
}

/** The message, which may be logged, does not contain the key. @throws {MockError} `INVALID_OPTION` */
export function assertApiKey(key: unknown, { failure, subject }: { failure: string; subject: string }): void {
  const isText = typeof key === 'string'
  if (isText && B64TOKEN.test(key) && !key.includes('~')) return
  // A variable that is not set is `undefined`.
  if (key === '' || key === undefined)
    throw toKeyError(failure, `${subject} is empty. Is it read from an environment variable that is not set?`)
  if (isText && /^bearer /i.test(key)) throw toKeyError(failure, `${subject} begins with Bearer. Leave that word out.`)
  throw toKeyError(
    failure,
    `${subject} (${isText ? `${key.length} characters` : typeof key}) is invalid. Use letters, digits and - . _ + / with = only at the end; ~ is reserved for a sandbox's name.`,
  )
}

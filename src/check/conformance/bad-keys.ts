/** A well-formed bearer token that is unlikely to be a valid key. */
export const WRONG_KEY = 'petstore-check-wrong-key'

/** An `Authorization` header that is not the valid one. */
interface BadKey {
  readonly what: string
  /** @returns `null` for no header; `undefined` if it would be the valid one. */
  of(apiKey: string): string | null | undefined
}

const BAD_KEYS: readonly BadKey[] = [
  { what: 'no key', of: () => null },
  { what: 'a wrong key', of: () => `Bearer ${WRONG_KEY}` },
  { what: 'the key under another scheme', of: (key) => toBasic(`${key}:`) },
  { what: 'the key as the password of another scheme', of: (key) => toBasic(`user:${key}`) },
  { what: 'the key without a scheme', of: (key) => key },
  { what: 'a scheme without a key', of: () => 'Bearer' },
  // A service that compares keys carelessly takes these for the key.
  { what: 'the key in other case', of: (key) => (swapCase(key) === key ? undefined : `Bearer ${swapCase(key)}`) },
  { what: 'the key with a character more', of: (key) => `Bearer ${key}x` },
  {
    what: 'the key without its last character',
    of: (key) => (key.length > 1 ? `Bearer ${key.slice(0, -1)}` : undefined),
  },
]

interface BadKeyDefinition {
  readonly title: string
  readonly expected: number
  readonly obstacle: (session: { readonly apiKey: string }) => string | undefined
  readonly authorization: (session: { readonly apiKey: string }) => string | null
}

/** The cases of an operation without the valid key. */
export function badKeyCases<Case>(define: (definition: BadKeyDefinition) => Case): Case[] {
  return BAD_KEYS.map(({ what, of }) =>
    define({
      title: `${what} is 401`,
      expected: 401,
      obstacle: ({ apiKey }) => (of(apiKey) === undefined ? 'the key cannot be changed in this way' : undefined),
      authorization: ({ apiKey }) => of(apiKey) ?? null,
    }),
  )
}

/** The shortest text that a report hides: shorter ones are part of many words. */
const SHORTEST_SECRET = 4

/** The texts of all requests that show the key, or almost the key. */
export function listSecrets(apiKey: string): readonly string[] {
  const sent = BAD_KEYS.map(({ of }) => of(apiKey)?.replace(/^\w+ /, '') ?? '')
  const near = sent.filter((text) => text.length >= SHORTEST_SECRET && text !== WRONG_KEY && text !== 'Bearer')
  return [...new Set([apiKey, ...near])].sort((one, other) => other.length - one.length)
}

function toBasic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

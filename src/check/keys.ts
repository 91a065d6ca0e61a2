import { HIDDEN, hideInHeader } from '../http/hide-credentials.ts'

/** A well-formed bearer token that is unlikely to be a valid key. */
const WRONG_KEY = 'petstore-check-wrong-key'

/** A credential that is not the valid one. */
export interface BadKey {
  readonly what: string
  /** @returns what is sent; `undefined` if it would be valid. */
  readonly of: (apiKey: string) => { readonly authorization: string | null; readonly query?: string } | undefined
  /** The flag of curl that sends it, if the header does not have the key as it is. */
  readonly curl?: string | undefined
}

export const NO_KEY: BadKey = { what: 'no key', of: () => ({ authorization: null }) }
export const WRONG: BadKey = bearer('a wrong key', () => WRONG_KEY)

export const BAD_KEYS: readonly BadKey[] = [
  NO_KEY,
  WRONG,
  header('the key under another scheme', (key) => toBasic(`${key}:`), '-u "$API_KEY:"'),
  header('the key as the password of another scheme', (key) => toBasic(`user:${key}`), '-u "user:$API_KEY"'),
  header('the key behind the word Basic', (key) => `Basic ${key}`),
  header('the key without a scheme', (key) => key),
  header('a scheme without a key', () => 'Bearer'),
  {
    what: 'the key in the query',
    of: (key) => ({ authorization: null, query: `api_key=${encodeURIComponent(key)}` }),
  },
  // A service that compares keys carelessly takes these for the key.
  bearer(
    'the key in another letter case',
    (key) => key.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
    'tr A-Za-z a-zA-Z',
  ),
  // Before the name of a sandbox: another name is a valid key of this mock.
  bearer('the key with an extra character', (key) => key.replace(/(?=~|$)/, 'x')),
  bearer('the key without its last character', (key) => key.replace(/.(?=~|$)/, ''), "sed -E 's/.(~|$)/\\1/'"),
]

function header(what: string, toValue: (key: string) => string, curl?: string): BadKey {
  return { what, of: (key) => ({ authorization: toValue(key) }), curl }
}

/** @param filter The command that changes the key in the same way. */
function bearer(what: string, change: (key: string) => string, filter?: string): BadKey {
  const of: BadKey['of'] = (key) =>
    ['', key].includes(change(key)) ? undefined : { authorization: `Bearer ${change(key)}` }
  return { what, of, curl: filter && `-H "authorization: Bearer $(printf %s "$API_KEY" | ${filter})"` }
}

function toBasic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** What each request has, and no report shows. */
export interface Credentials {
  readonly apiKey: string
  /** Own headers, which a gateway may need. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Shorter texts are not hidden, because they are part of many words. The key itself always is. */
const SHORTEST_SECRET = 4

/** Hides the API key, in every form in which the cases send it, and the credentials among the headers. */
export function hideSecrets(text: string, { apiKey, headers = {} }: Credentials): string {
  const sent = BAD_KEYS.flatMap(({ of }) => {
    const { authorization, query = '' } = of(apiKey) ?? {}
    return [authorization?.replace(/^\w+ /, '') ?? '', query.replace('api_key=', '')]
  })
  const own = Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name, value) ? [value, ...value.split(/[\s;=]+/)] : [],
  )
  const near = [...sent, ...own].filter(
    (each) => each.length >= SHORTEST_SECRET && each !== 'Bearer' && each !== WRONG_KEY,
  )
  return [...new Set([apiKey, ...near])]
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}

export function isSecretHeader(name: string, value: string): boolean {
  return hideInHeader(name.toLowerCase(), value) !== value
}

import { HIDDEN } from '../http/hide-credentials.ts'
import type { CheckRequest } from './session.ts'

/** A well-formed bearer token that is unlikely to be a valid key. */
const WRONG_KEY = 'petstore-check-wrong-key'

/** A credential that is not the valid one. */
export interface BadKey {
  readonly what: string
  /** @returns what is sent; `undefined` if it would be valid. */
  readonly of: (apiKey: string) => Pick<CheckRequest, 'authorization' | 'query'> | undefined
}

export const WRONG: BadKey = { what: 'a wrong key', of: () => ({ authorization: `Bearer ${WRONG_KEY}` }) }
export const NO_KEY: BadKey = { what: 'no key', of: () => ({ authorization: null }) }

export const BAD_KEYS: readonly BadKey[] = [
  NO_KEY,
  WRONG,
  { what: 'the key under another scheme', of: (key) => ({ authorization: toBasic(`${key}:`) }) },
  { what: 'the key as the password of another scheme', of: (key) => ({ authorization: toBasic(`user:${key}`) }) },
  { what: 'the key behind the word Basic', of: (key) => ({ authorization: `Basic ${key}` }) },
  { what: 'the key without a scheme', of: (key) => ({ authorization: key }) },
  { what: 'a scheme without a key', of: () => ({ authorization: 'Bearer' }) },
  {
    what: 'the key in the query',
    of: (key) => ({ authorization: null, query: `api_key=${encodeURIComponent(key)}` }),
  },
  // A service that compares keys carelessly takes these for the key.
  {
    what: 'the key in other case',
    of: (key) => (swapCase(key) === key ? undefined : { authorization: `Bearer ${swapCase(key)}` }),
  },
  { what: 'the key with a character more', of: (key) => ({ authorization: `Bearer ${key}x` }) },
  {
    what: 'the key without its last character',
    of: (key) => (key.length > 1 ? { authorization: `Bearer ${key.slice(0, -1)}` } : undefined),
  },
]

/** The shortest text that a report hides: shorter ones are part of many words. */
const SHORTEST_SECRET = 4

/**
 * Hides the API key in a text, in every form in which the cases send it: a service may repeat it. Texts with the key must
 * not get into a report or a file.
 */
export function hideKey(text: string, apiKey: string): string {
  const sent = BAD_KEYS.flatMap(({ of }) => {
    const { authorization, query } = of(apiKey) ?? {}
    return [authorization?.replace(/^\w+ /, '') ?? '', query?.replace('api_key=', '') ?? '']
  })
  const near = sent.filter((secret) => secret.length >= SHORTEST_SECRET && !['Bearer', WRONG_KEY].includes(secret))
  return [...new Set([apiKey, ...near])]
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}

function toBasic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

import type { CheckSession } from './check-session.ts'
import type { CaseDefinition, ConformanceCase } from './conformance-case.ts'

/** Almost the key. A service that compares keys carelessly takes it for the key. */
interface NearKey {
  readonly what: string
  /** Returns the key itself if it cannot be changed in this way. */
  of(apiKey: string): string
}

const NEAR_KEYS: readonly NearKey[] = [
  { what: 'the key in other case', of: swapCase },
  { what: 'the key with a character more', of: (key) => `${key}x` },
  { what: 'the key without its last character', of: (key) => key.slice(0, -1) || key },
]

type NearKeyDefinition = Pick<CaseDefinition, 'title' | 'expected' | 'obstacle'> & {
  readonly authorization: (session: CheckSession) => string
}

/** The cases of an operation with almost the key. */
export function nearKeyCases(define: (definition: NearKeyDefinition) => ConformanceCase): ConformanceCase[] {
  return NEAR_KEYS.map(({ what, of }) =>
    define({
      title: `${what} is 401`,
      expected: 401,
      obstacle: ({ apiKey }) => (of(apiKey) === apiKey ? 'the key cannot be changed in this way' : undefined),
      authorization: ({ apiKey }) => `Bearer ${of(apiKey)}`,
    }),
  )
}

function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

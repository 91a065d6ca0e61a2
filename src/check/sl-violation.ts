/** One way in which an answer breaks the specification, in the form of Prism's header `sl-violations`. */
export interface SlViolation {
  /** Starts with `response`; then where in it, such as `body`, `0`, `quantity`. */
  readonly location: readonly string[]
  readonly severity: 'Error' | 'Warning' | 'Information' | 'Hint'
  /** The schema's keyword that is broken, where it is one. */
  readonly code?: string | number
  /** A sentence, without its full stop. */
  readonly message: string
}

/** A violation that Prism does not tell. */
export function createSlViolation(location: readonly string[], message: string): SlViolation {
  return { location: ['response', ...location], severity: 'Error', message }
}

/** The value of the header: JSON in ASCII, as a header must be. */
export function toSlViolationsHeader(violations: readonly SlViolation[]): string {
  return JSON.stringify(violations).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A violation of the specification, in the format of Prism's header `sl-violations`. */
export interface SlViolation {
  /** The path: `response`, followed for example by `body`, `0`, `quantity`. */
  readonly location: readonly string[]
  readonly severity: 'Error' | 'Warning' | 'Information' | 'Hint'
  /** The violated schema keyword, if any. */
  readonly code?: string | number
  /** A sentence without the full stop. */
  readonly message: string
}

/** Creates a violation that Prism does not report. */
export function createSlViolation(location: readonly string[], message: string): SlViolation {
  return { location: ['response', ...location], severity: 'Error', message }
}

/** The value of the header, as JSON in ASCII. */
export function toSlViolationsHeader(violations: readonly SlViolation[]): string {
  return JSON.stringify(violations).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

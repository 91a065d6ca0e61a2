/** The preferences in a request's `Prefer` header (RFC 7240) that the mock supports. */
export interface Preferences {
  /** `code=404`: respond with this status. */
  readonly code?: number
  /** `delay=500`: respond after this many milliseconds. */
  readonly delay?: number
}

/** The longest delay of a response: a day, in milliseconds. */
export const LONGEST_DELAY_MS: number = 24 * 60 * 60 * 1000

export const NO_PREFERENCES: Preferences = {}

/** Parses a `Prefer` header. Unknown and invalid preferences are ignored, as RFC 7240 requires. */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return NO_PREFERENCES
  // Reversed, so that the first of several preferences with the same name wins.
  const found = Object.fromEntries(header.split(',').map(parsePreference).reverse())
  const code = toWhole(found['code'], { min: 200, max: 599 })
  const delay = toWhole(found['delay'], { min: 0, max: LONGEST_DELAY_MS })
  return { ...(code !== undefined && { code }), ...(delay !== undefined && { delay }) }
}

/** The `Preference-Applied` header of a response with this status, if a preference was applied. */
export function toPreferenceApplied({ code, delay }: Preferences, status: number): Record<string, string> {
  const applied = [...(code === status ? [`code=${code}`] : []), ...(delay === undefined ? [] : [`delay=${delay}`])]
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }
}

/** Parameters of a preference, after its `;`, are ignored. */
function parsePreference(text: string): [string, string] {
  const [preference = ''] = text.split(';')
  const [name = '', value = ''] = preference.split('=')
  return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
}

function toWhole(text: string | undefined, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

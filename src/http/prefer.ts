/** The preferences in a request's `Prefer` header (RFC 7240) that the mock supports. */
export interface Preferences {
  /** `code=404`: respond with this status. */
  readonly code?: number
  /** `delay=500`: respond after this many milliseconds. */
  readonly delay?: number
}

/** The longest delay of a response: a day, in milliseconds. */
export const LONGEST_DELAY_MS: number = 24 * 60 * 60 * 1000

/** Parses a `Prefer` header. Unknown and invalid preferences are ignored, as RFC 7240 requires. */
export function parsePrefer(header: string): Preferences {
  const code = readWhole('code', header, { min: 200, max: 599 })
  const delay = readWhole('delay', header, { min: 0, max: LONGEST_DELAY_MS })
  return { ...(code !== undefined && { code }), ...(delay !== undefined && { delay }) }
}

/** The `Preference-Applied` header of a response with this status, if a preference was applied. */
export function toPreferenceApplied({ code, delay }: Preferences, status: number): Record<string, string> {
  const applied = [...(code === status ? [`code=${code}`] : []), ...(delay === undefined ? [] : [`delay=${delay}`])]
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }
}

/** Reads the first preference of this name, if it is a number. Its parameters, after a `;`, are ignored. */
function readWhole(name: string, header: string, { min, max }: { min: number; max: number }): number | undefined {
  const [, given = ''] = new RegExp(`(?:^|,)\\s*${name}\\s*(?:=([^,;]*))?(?=[,;]|$)`, 'i').exec(header) ?? []
  const [, , text] = /^("?)(\d{1,9})\1$/.exec(given.trim()) ?? []
  const value = Number(text)
  return value >= min && value <= max ? value : undefined
}

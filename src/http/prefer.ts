/** What a request asks for by `Prefer` (RFC 7240), as far as the mock knows it. */
export interface Preferences {
  /** `code=404`: answer with this status. */
  readonly code?: number
  /** `delay=500`: answer so many milliseconds later. */
  readonly delay?: number
}

export const NO_PREFERENCES: Preferences = {}

/** Reads a `Prefer` header. Preferences that are not known, or make no sense, are ignored, as RFC 7240 wants it. */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return NO_PREFERENCES
  const found = Object.fromEntries(header.split(',').map(parsePreference).reverse())
  const code = toWhole(found['code'], { min: 200, max: 599 })
  const delay = toWhole(found['delay'], { min: 0, max: 86_400_000 })
  return { ...(code !== undefined && { code }), ...(delay !== undefined && { delay }) }
}

/** The `Preference-Applied` header of an answer with this status; `undefined` where nothing was applied. */
export function toPreferenceApplied({ code, delay }: Preferences, status: number): string | undefined {
  const applied = [...(code === status ? [`code=${code}`] : []), ...(delay === undefined ? [] : [`delay=${delay}`])]
  return applied.length === 0 ? undefined : applied.join(', ')
}

/** The first of a name counts; the parameters of a preference do not. */
function parsePreference(text: string): [string, string] {
  const [preference = ''] = text.split(';')
  const [name = '', value = ''] = preference.split('=')
  return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
}

function toWhole(text: string | undefined, { min, max }: { min: number; max: number }): number | undefined {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

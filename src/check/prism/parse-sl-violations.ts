import { createSlViolation, type SlViolation } from '../sl-violation.ts'

const CUT_SHORT = 'Too many violations! '
const ENTRIES_SEAM = '},{'

/**
 * Parses the header `sl-violations` of a response from Prism, without violations of the request. Prism truncates the
 * header after 8,092 characters, in the middle of a violation. A final violation then says that there are more.
 */
export function parseSlViolations(header: string | null): readonly SlViolation[] {
  if (header === null) return []
  if (!header.startsWith(CUT_SHORT)) return toResponseSide(JSON.parse(header) as SlViolation[])
  const first = toResponseSide(parseWholeEntries(header.slice(CUT_SHORT.length)))
  return [...first, createSlViolation([], 'There are more violations than Prism can report; these are the first')]
}

function parseWholeEntries(json: string): readonly SlViolation[] {
  let end = json.lastIndexOf(ENTRIES_SEAM)
  for (; end > 0; end = json.lastIndexOf(ENTRIES_SEAM, end - 1)) {
    try {
      return JSON.parse(`${json.slice(0, end)}}]`) as SlViolation[]
    } catch {
      // The cut is inside a string.
    }
  }
  return []
}

function toResponseSide(violations: readonly SlViolation[]): readonly SlViolation[] {
  return violations.filter(({ location }) => location[0] === 'response')
}

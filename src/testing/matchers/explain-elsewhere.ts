/** Lookups of the other sandboxes of the same mock. */
export interface Elsewhere {
  /** The names of those that received such a request. */
  elsewhere(): readonly string[]
  /** The names of those that responded to such a request with a 401, as the default one does for a wrong API key. */
  refusedBy(): readonly string[]
}

const MOST_NAMES = 3

/** Explains that the code under test may use another API key. */
export function explainElsewhere({ elsewhere, refusedBy }: Elsewhere, own: string): string[] {
  const question = `Does the code under test use the API key of the sandbox ${own}?`
  const names = elsewhere()
  if (names.length > 0) return [`Received by the sandbox ${listNames(names)}. ${question}`]
  const refusing = refusedBy()
  if (refusing.length > 0) return [`The sandbox ${listNames(refusing)} refused such a request with a 401. ${question}`]
  return []
}

function listNames(names: readonly string[]): string {
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' and others' : '')
}

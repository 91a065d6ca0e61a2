import { escapeControls } from '../http/quote.ts'

/** The result of restoring the stock that a check changed. */
export interface RestoredStock {
  /** The ids of the updated pets, in decimal form. */
  readonly petIds: readonly string[]
  /** What could not be restored, as a sentence. */
  readonly problem: string | undefined
  /** Whether the service could not be reached, or no longer took the key, so that nothing is known. */
  readonly isUnreachable: boolean
  /** The pets that are not as they were. `present` is unknown if the list could not be read. */
  readonly left: readonly { readonly petId: string; readonly present: string | undefined; readonly original: string }[]
  /** The ids of the pets with an update that may still be applied, because the service did not respond to it. */
  readonly unconfirmed: readonly string[]
}

/**
 * What somebody at the terminal must know, as lines.
 * @param file The originals.
 * @param isAsked Whether a success is told too.
 */
export function explainRestored(
  { petIds, problem, left, unconfirmed }: RestoredStock,
  file: string,
  isAsked: boolean,
): readonly string[] {
  const lines: string[] = []
  if (problem === undefined && isAsked) lines.push(`The stock of ${toPetNames(petIds)} was restored.`)
  if (problem !== undefined) {
    lines.push(escapeControls(`The stock of ${toPetNames(petIds)} could not be restored: ${problem}.`))
    for (const { petId, present = 'unknown', original } of left)
      lines.push(`  pet ${petId}: present ${present}, original ${original}`)
    lines.push(`To put it back later, run: petstore-mock check --restore ${file}`)
  }
  if (unconfirmed.length > 0) {
    const what = `An update of ${toPetNames(unconfirmed)} got no response, and the service may still apply it`
    lines.push(`${what}: look at the stock again later.`)
  }
  return lines
}

function toPetNames(petIds: readonly string[]): string {
  return `pet${petIds.length === 1 ? '' : 's'} ${petIds.join(', ')}`
}

/** What a row should reach. */
export interface Aim {
  readonly text: string
  isMet(measured: { readonly ours: number; readonly ratio: number | undefined }): boolean
}

/** For what should be large, as a share of what it is compared with. */
export function toBeAtLeast(share: number): Aim {
  return { text: `≥ ${share} ×`, isMet: ({ ratio = 0 }) => ratio >= share }
}

/** For what should be small, as a share of what it is compared with. */
export function toBeAtMost(share: number): Aim {
  return { text: `≤ ${share} ×`, isMet: ({ ratio = Number.POSITIVE_INFINITY }) => ratio <= share }
}

/**
 * For what has a bound of its own. Where the bound was set, what it is compared with took `where`: a slower machine
 * may take as much longer.
 */
export function toStayBelow(bound: number, { unit, where }: { unit: string; where?: number }): Aim {
  if (where === undefined) return { text: `≤ ${bound} ${unit}`, isMet: ({ ours }) => ours <= bound }
  const share = bound / where
  return {
    text: `≤ ${bound} ${unit} or ${share.toFixed(2)} ×`,
    isMet: ({ ours, ratio = Number.POSITIVE_INFINITY }) => ours <= bound || ratio <= share,
  }
}

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

/** For what has a bound of its own. */
export function toStayBelow(bound: number, unit: string): Aim {
  return { text: `≤ ${bound} ${unit}`, isMet: ({ ours }) => ours <= bound }
}

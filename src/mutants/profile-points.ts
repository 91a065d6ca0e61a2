import { PROFILE } from '../inventory/profile.ts'
import type { Mutant } from './mutants.ts'

/** The schema of a profile, as far as its points are lists of words. */
type Points = Readonly<
  Record<string, { readonly default: unknown; readonly wrapped: { readonly options?: unknown[] } }>
>

const { entries } = (PROFILE as unknown as { readonly pipe: [never, { readonly entries: Points }] }).pipe[1]

/** Values for the points that are no lists of words. */
const OTHERS = [{ quantity: { min: 0, max: 2 ** 31 - 1 } }, { codes: { 400: 'bad', 401: 'no_key', 404: 'no_pet' } }]

/** A mutant for every other value of every point of a profile. */
export function listProfilePoints(): Mutant[] {
  const words = Object.entries(entries).flatMap(([point, { default: ours, wrapped }]) =>
    (wrapped.options ?? []).filter((value) => value !== ours).map((value) => ({ [point]: value })),
  )
  return [...words, ...OTHERS].map((point) => {
    const name = JSON.stringify(point)
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text, needs: [] }
  })
}

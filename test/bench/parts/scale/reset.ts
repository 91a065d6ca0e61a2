import { toBeAtMost } from '../../aim.ts'
import { compareSubjects } from '../../compare-subjects.ts'
import type { BenchContext } from '../../context.ts'
import type { Row } from '../../row.ts'

/** `reset()` of a large inventory, against a small one. */
export async function measureReset(context: BenchContext): Promise<Row[]> {
  const title = { id: 10, what: 'reset() after 10 changes, 100,000 pets', aim: toBeAtMost(2), against: '10 pets' }
  const toSide = (pets: number) => ({ name: 'reset-state', options: { pets } }) as const
  return [await compareSubjects(context, title, { ours: toSide(100_000), against: toSide(10), count: 1000 })]
}

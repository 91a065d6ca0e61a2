/** What was measured of both sides, round by round. */
export interface Pairs {
  readonly ours: readonly number[]
  readonly against: readonly number[]
}

/** Measures one side once. */
export type Measure = () => Promise<number>

/** Measures both sides in turn, so that a machine that is slow for a while is slow for both. A first round warms up. */
export async function alternate(rounds: number, sides: { ours: Measure; against: Measure }): Promise<Pairs> {
  const ours: number[] = []
  const against: number[] = []
  await sides.ours()
  await sides.against()
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await sides.ours())
    against.push(await sides.against())
  }
  return { ours, against }
}

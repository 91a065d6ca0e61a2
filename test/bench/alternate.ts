/** What was measured of both sides, round by round. */
export interface Pairs<Figure = number> {
  readonly ours: readonly Figure[]
  readonly against: readonly Figure[]
}

/** Measures one side once. */
export type Measure<Figure = number> = () => Promise<Figure>

/** Measures both sides in turn, so that a machine that is slow for a while is slow for both. A first round warms up. */
export async function alternate<Figure>(
  rounds: number,
  sides: { ours: Measure<Figure>; against: Measure<Figure> },
): Promise<Pairs<Figure>> {
  const ours: Figure[] = []
  const against: Figure[] = []
  await sides.ours()
  await sides.against()
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await sides.ours())
    against.push(await sides.against())
  }
  return { ours, against }
}

/** One figure of each measurement. */
export function pickFigure<Figure>(pairs: Pairs<Figure>, pick: (figure: Figure) => number): Pairs {
  return { ours: pairs.ours.map(pick), against: pairs.against.map(pick) }
}

/** The rounds of several pairs, one after the other. */
export function joinPairs<Figure>(all: readonly Pairs<Figure>[]): Pairs<Figure> {
  return { ours: all.flatMap(({ ours }) => ours), against: all.flatMap(({ against }) => against) }
}

/** The scale of a chart, with its gridlines. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

/** Returns a scale that includes zero and all values, and ends at round numbers. */
export function toScale(low: number, high: number, wantedTicks = 4): Scale {
  const [bottom, top] = [Math.min(0, low), Math.max(0, high)]
  const step = toStep((top - bottom || 1) / wantedTicks)
  const min = Math.floor(bottom / step) * step
  const max = Math.max(Math.ceil(top / step) * step, min + step)
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => min + index * step)
  return { min, max, ticks }
}

/** The next of 1, 2, 5, 10, 20, 50 and so on, because stock is an integer. */
function toStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

import { isDeepStrictEqual } from 'node:util'
import type { Build } from './builds.ts'

/** What one measurement gives, by name. */
export type Figures = Readonly<Record<string, number>>

/** One side of a comparison, ready to be measured. */
export interface Side extends Partial<AsyncDisposable> {
  /** What its work gives. It must be the same on both sides. */
  readonly answer?: unknown
  measure(): Promise<Figures>
}

interface FigureTitle {
  /** Behind the title of the comparison. */
  readonly what?: string
  readonly unit: string
  readonly aim?: Aim
}

/** The figures of a row, and how each side is made. */
export interface Comparison {
  /** The row of the design's table. */
  readonly id: number
  readonly what: string
  readonly against: string
  readonly rounds: number
  /** By the names of the figures. */
  readonly figures: Readonly<Record<string, FigureTitle>>
  ours(build: Build): Promise<Side> | Side
  /** Left out where a figure stands for itself. */
  readonly theirs?: () => Promise<Side> | Side
}

/** What a figure should reach. */
export interface Aim {
  readonly text: string
  isMet(measured: { readonly ours: number; readonly ratio: number }): boolean
}

/** For what should be large, as a share of what it is compared with. */
export function atLeast(share: number): Aim {
  return { text: `≥ ${share} ×`, isMet: ({ ratio }) => ratio >= share }
}

/** For what should be small, as a share of what it is compared with. */
export function atMost(share: number): Aim {
  return { text: `≤ ${share} ×`, isMet: ({ ratio }) => ratio <= share }
}

/** For what has a bound of its own. */
export function below(bound: number, unit: string): Aim {
  return { text: `≤ ${bound} ${unit}`, isMet: ({ ours }) => ours <= bound }
}

/** One line of the outcome. */
export interface Row {
  readonly id: number
  readonly what: string
  readonly unit?: string
  /** The median. */
  readonly ours?: number
  readonly against?: { readonly name: string; readonly median: number }
  /** The median of the rounds' ratios. */
  readonly ratio?: number
  /** The quartiles of the rounds' ratios. */
  readonly spread?: readonly [number, number]
  readonly rounds?: number
  readonly aim?: string
  readonly isMet?: boolean
  /** Why nothing was measured. */
  readonly skipped?: string
}

/** Another build of the package takes the place of what a row is usually compared with. */
export interface Builds {
  readonly ours: Build
  readonly baseline: Build | undefined
}

/**
 * Measures both sides in turn, so that a machine that is slow for a while is slow for both. A first round warms up.
 * @throws {Error} where the two sides do not give the same, or one cannot be measured.
 */
export async function compare(comparison: Comparison, { ours, baseline }: Builds): Promise<Row[]> {
  const { what, rounds, theirs, against } = comparison
  await using first = disposable(await comparison.ours(ours))
  await using second = disposable(baseline === undefined ? await theirs?.() : await comparison.ours(baseline))
  if (first.side === undefined) throw new Error(`Failed to measure ${what}: there is nothing to measure.`)
  if (second.side === undefined) return toRows(comparison, { against: '', ours: [await first.side.measure()] })
  if (!isDeepStrictEqual(first.side.answer, second.side.answer)) {
    const answers = [first.side.answer, second.side.answer].map((answer) => JSON.stringify(answer)?.slice(0, 200))
    throw new Error(`Failed to measure ${what}: the sides do not give the same, but ${answers.join(' and ')}`)
  }
  const measured = { ours: [] as Figures[], theirs: [] as Figures[] }
  for (let round = -1; round < rounds; round += 1) {
    const pair = [await first.side.measure(), await second.side.measure()] as const
    if (round === -1) continue
    measured.ours.push(pair[0])
    measured.theirs.push(pair[1])
  }
  return toRows(comparison, { against: baseline === undefined ? against : 'baseline', ...measured })
}

function disposable(side: Side | undefined): AsyncDisposable & { readonly side: Side | undefined } {
  return { side, [Symbol.asyncDispose]: async () => side?.[Symbol.asyncDispose]?.() }
}

interface Measured {
  readonly against: string
  readonly ours: readonly Figures[]
  readonly theirs?: readonly Figures[]
}

/** What slows down one round slows down both of its sides, so the ratios are those of the rounds. */
function toRows({ id, what: title, figures }: Comparison, { against, ours, theirs }: Measured): Row[] {
  return Object.entries(figures).map(([name, { what = '', unit, aim }]) => {
    const own = ours.map((each) => each[name] ?? Number.NaN)
    const other = theirs?.map((each) => each[name] ?? Number.NaN)
    const ratios = own.map((value, round) => value / (other?.[round] ?? Number.NaN))
    const median = { ours: toQuantile(own, 0.5), against: toQuantile(other ?? [], 0.5), ratio: toQuantile(ratios, 0.5) }
    return {
      id,
      what: title + what,
      unit,
      ours: median.ours,
      ...(other !== undefined && {
        against: { name: against, median: median.against },
        ratio: median.ratio,
        spread: [toQuantile(ratios, 0.25), toQuantile(ratios, 0.75)],
        rounds: ratios.length,
      }),
      // An aim says what a row should reach beside its usual opponent.
      ...(aim !== undefined && against !== 'baseline' && { aim: aim.text, isMet: aim.isMet(median) }),
    }
  })
}

/** The value that so large a share of the values lies below; between two of them, on the line from one to the other. */
function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [lower = Number.NaN, upper = lower] = sorted.slice(Math.floor(place))
  return lower + (upper - lower) * (place % 1)
}

const COLUMNS = ['#', 'what', 'ours', 'against', 'ratio', 'spread', 'aim', 'met?'] as const

/** The rows as a table in Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [[...COLUMNS], COLUMNS.map(() => '---'), ...rows.map(toCells)]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function toCells(row: Row): string[] {
  const { id, what, unit = '', ours, against, ratio, spread, aim = '', isMet } = row
  if (row.skipped !== undefined) return [String(id), what, '', `not measured: ${row.skipped}`, '', '', aim, '']
  return [
    String(id),
    what,
    ours === undefined ? '' : `${formatNumber(ours)} ${unit}`,
    against === undefined ? '' : `${against.name}: ${formatNumber(against.median)} ${unit}`,
    ratio === undefined ? '' : `${formatNumber(ratio)} ×`,
    spread === undefined ? '' : spread.map(formatNumber).join(' to '),
    aim,
    isMet === undefined ? '' : isMet ? 'yes' : 'no',
  ]
}

/** Three digits that count. */
function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

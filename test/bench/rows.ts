/** The middle of the values. */
export function toMedian(values: readonly number[]): number {
  return toQuantile(values, 0.5)
}

/** Between these lies the middle half of the values. */
function toQuartiles(values: readonly number[]): readonly [lower: number, upper: number] {
  return [toQuantile(values, 0.25), toQuantile(values, 0.75)]
}

/** The value that so large a share of the values lies below; between two of them, on the line from one to the other. */
function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place))
  return below + (above - below) * (place % 1)
}

/** What was measured of both sides, round by round. */
export interface Pairs<Figure = number> {
  readonly ours: readonly Figure[]
  readonly against: readonly Figure[]
}

/** Measures one side once. */
type Measure<Figure = number> = () => Promise<Figure>

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

/** What a row is about. */
export interface RowTitle {
  /** The row of the design's table. */
  readonly id: number
  readonly what: string
  readonly unit: string
  /** None where a figure is for the reader to judge. */
  readonly aim?: Aim
  /** What it is compared with. */
  readonly against?: string
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

/** Compares both sides round by round: what slows down one round slows down both of its sides. */
export function compareRow({ id, what, unit, aim, against = '' }: RowTitle, pairs: Pairs): Row {
  const ratios = pairs.ours.map((value, round) => value / (pairs.against[round] ?? Number.NaN))
  const ours = toMedian(pairs.ours)
  const ratio = toMedian(ratios)
  return {
    id,
    what,
    unit,
    ours,
    against: { name: against, median: toMedian(pairs.against) },
    ratio,
    spread: toQuartiles(ratios),
    rounds: ratios.length,
    ...judge(aim, { ours, ratio }),
  }
}

/** A figure that is the same in every round, with a bound of its own or none. */
export function countRow({ id, what, unit, aim }: RowTitle, ours: number): Row {
  return { id, what, unit, ours, ...judge(aim, { ours, ratio: undefined }) }
}

export function skipRow(id: number, what: string, reason: string): Row {
  return { id, what, skipped: reason }
}

function judge(aim: Aim | undefined, measured: Parameters<Aim['isMet']>[0]): Pick<Row, 'aim' | 'isMet'> {
  return aim === undefined ? {} : { aim: aim.text, isMet: aim.isMet(measured) }
}

const COLUMNS = ['#', 'what', 'ours', 'against', 'ratio', 'spread', 'aim', 'met?'] as const

/** The rows as a table in Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [[...COLUMNS], COLUMNS.map(() => '---'), ...rows.map(toCells)]
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines
    .map((cells) => `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
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

function pad(cell: string, width: number): string {
  return /^-+$/.test(cell) ? '-'.repeat(width) : cell.padEnd(width)
}

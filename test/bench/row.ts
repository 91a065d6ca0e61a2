import type { Aim } from './aim.ts'
import type { Pairs } from './alternate.ts'
import { toMedian, toQuartiles } from './statistics.ts'

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

import type { Row } from './row.ts'

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

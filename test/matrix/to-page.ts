import { type Cell, GROUPS, type Group } from './cell.ts'
import type { Outcome } from './try-cell.ts'

const TITLES: Readonly<Record<Group, string>> = {
  node: 'Node',
  managers: 'Package managers and runtimes',
  msw: 'msw',
  vitest: 'Vitest',
  runners: 'Other test runners',
  typescript: 'TypeScript',
  linters: 'Checks of the package',
  bundlers: 'Bundlers',
  clients: 'HTTP clients',
}

/** `docs/compatibility.md`. */
export function toPage(cells: readonly Cell[], outcomes: ReadonlyMap<Cell, Outcome>): string {
  const tables = GROUPS.map((group) => {
    const rows = cells.filter((cell) => cell.group === group)
    if (rows.length === 0) return ''
    const lines = rows.map((cell) => `| ${cell.title} | ${outcomes.get(cell)?.problem === undefined ? '✓' : '✗'} |`)
    return [`## ${TITLES[group]}`, '', '| with | works |', '| --- | --- |', ...lines, ''].join('\n')
  })
  return [
    '# Compatibility',
    '',
    'Each row is a folder of its own with the packed package, in which a small program or test suite ran.',
    '`npm run test:matrix -- --write` writes this page.',
    '',
    ...tables.filter((table) => table !== ''),
  ].join('\n')
}

import { type Cell, GROUPS, type Group } from './cell.ts'
import type { Outcome } from './try-cell.ts'

const TITLES: Readonly<Record<Group, string>> = {
  node: 'Node',
  managers: 'Package managers and runtimes',
  msw: 'msw',
  workers: 'A service worker in Chromium',
  vitest: 'Vitest',
  runners: 'Other test runners',
  typescript: 'TypeScript',
  linters: 'Checks of the package',
  bundlers: 'Bundlers',
  clients: 'HTTP clients',
}

/** `docs/compatibility.md`. */
export function toPage(cells: readonly Cell[], outcomes: ReadonlyMap<Cell, Outcome>): string {
  const rows = GROUPS.flatMap((group) => {
    const tried = cells.filter((cell) => cell.group === group)
    const [works, fails] = [true, false].map((isRight) =>
      joinTitles(tried.filter((cell) => (outcomes.get(cell)?.problem === undefined) === isRight)),
    )
    return tried.length === 0 ? [] : [`| ${TITLES[group]} | ${works}${fails === '' ? '' : `. **Fails:** ${fails}`} |`]
  })
  return [
    '# Compatibility',
    '',
    'For each entry, a small program or test suite ran in a fresh folder with the packed package, on Linux (x64).',
    '`npm run test:matrix -- --write` writes this page.',
    '',
    '| what | works with |',
    '| --- | --- |',
    ...rows,
    '',
    'Releases of msw before 2.13.4 cannot restart a worker in the same page.',
    '',
    '**Windows and macOS are untried.** The package needs no shell and no native module. Windows has no SIGHUP and no file',
    'modes; what rests on them, such as the mode of a `--state` file, does nothing there, and its tests are skipped.',
    '',
  ].join('\n')
}

/** What titles have in common is written once: `Playwright 1.54, Playwright 1.65 (ES modules; CommonJS)`. */
function joinTitles(cells: readonly Cell[]): string {
  const variants = Map.groupBy(cells, ({ title }) => title.split(', ')[0] ?? title)
  const names = Map.groupBy(variants, ([name, members]) =>
    members.map(({ title }) => title.slice(name.length + 2)).join('; '),
  )
  return Array.from(names, ([variant, members]) => {
    const joined = members.map(([name]) => name).join(', ')
    return variant === '' ? joined : `${joined} (${variant})`
  }).join('; ')
}

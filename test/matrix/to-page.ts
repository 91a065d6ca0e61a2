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

const NOTES: Readonly<Partial<Record<Group, string>>> = {
  msw: 'In Node: `createHandlers` in `setupServer`, `mock.use` and `interceptRequests`. Releases before 2.13.4 cannot restart\na worker in the same page.',
  workers:
    'The page lists, updates, sees a fault and is answered by a handler of its own. Each time it starts, stops and starts\nagain: the worker, page mode, and a `setupWorker` with `createHandlers`.',
}

/** `docs/compatibility.md`. */
export function toPage(cells: readonly Cell[], outcomes: ReadonlyMap<Cell, Outcome>): string {
  const tables = GROUPS.map((group) => {
    const rows = cells.filter((cell) => cell.group === group)
    if (rows.length === 0) return ''
    const lines = rows.map((cell) => `| ${cell.title} | ${outcomes.get(cell)?.problem === undefined ? '✓' : '✗'} |`)
    const note = NOTES[group] === undefined ? [] : [NOTES[group], '']
    return [`## ${TITLES[group]}`, '', ...note, '| with | works |', '| --- | --- |', ...lines, ''].join('\n')
  })
  return [
    '# Compatibility',
    '',
    'For each row, a small program or test suite ran in a fresh folder with the packed package.',
    '`npm run test:matrix -- --write` writes this page.',
    '',
    ...tables.filter((table) => table !== ''),
    '## Operating systems',
    '',
    'All of this ran on Linux (x64). **Windows and macOS are untried.** The package needs no shell and no native module:',
    'paths go through `node:path` and file URLs, `exec` quotes a command for `cmd.exe`, and `--open` uses the system’s own',
    'command. Windows has no SIGHUP, no file modes and no devices as files; what rests on them, such as the mode of a',
    '`--state` file, does nothing there, and its tests are skipped.',
    '',
  ].join('\n')
}

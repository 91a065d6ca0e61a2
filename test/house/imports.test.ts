import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')

/** From the ground up: a folder may import from those before it, and folders of one floor do not see each other. */
const FLOORS: readonly (readonly string[])[] = [
  ...readDrawing().reverse(),
  // The page comes late, but may import almost nothing, and a test of its own says so.
  ['console'],
  // The console with a mock of its own.
  ['demo'],
]

const files = globSync('**/*.{ts,tsx}', { cwd: SRC })
const imports = new Map(files.map((file) => [file, readImports(file)]))

describe('the house', () => {
  test('every folder is in the drawing, and the drawing has no other', () => {
    const folders = new Set(files.flatMap((file) => (file.includes('/') ? [file.split('/')[0]] : [])))
    expect(
      FLOORS.flat()
        .filter((folder) => folder !== 'entry')
        .sort(),
    ).toEqual([...folders].sort())
  })

  test('rooms import downwards only', () => {
    const upward = edges(({ from, to }) => toFloor(from) < toFloor(to))
    const sideways = edges(({ from, to }) => toFloor(from) === toFloor(to) && toRoom(from) !== toRoom(to))
    expect([...upward, ...sideways]).toEqual([])
  })

  test('no runtime imports another, and nothing imports an entry', () => {
    const runtime = (file: string): string => file.replace(/^runtimes\/([^./]+).*/, '$1')
    const between = edges(
      ({ from, to }) =>
        toRoom(from) === 'runtimes' &&
        toRoom(to) === 'runtimes' &&
        runtime(from) !== runtime(to) &&
        // What runtimes have in common, and what knows none of them.
        runtime(to) !== 'shared',
    )
    expect([...between, ...edges(({ to }) => to === 'index.ts' || to === 'cli/bin.ts')]).toEqual([])
  })

  test('no imports go in a circle', () => {
    expect(files.filter((file) => reaches(file, file))).toEqual([])
  })

  test('the console imports itself, its libraries, types and two small files, and only the demo imports it', () => {
    const outward = edges(
      ({ from, to }) =>
        toRoom(from) === 'console' &&
        !['console', 'contract'].includes(toRoom(to)) &&
        !['control/contract.ts', 'client/control-request.ts', 'http/is-loopback.ts'].includes(to) &&
        !/^(preact|eventsource-parser)\b/.test(to),
    )
    const inward = edges(({ from, to }) => !['console', 'demo'].includes(toRoom(from)) && toRoom(to) === 'console')
    const values = files.filter(
      (file) => toRoom(file) === 'console' && /import (?!type)[^;']*'[./]*(?:contract|control)\//.test(readCode(file)),
    )
    const shared = ['client/control-request.ts', 'http/is-loopback.ts'].flatMap(
      (file) => readCode(file).match(/import (?!type).*/g) ?? [],
    )
    expect([...outward, ...inward, ...values, ...shared]).toEqual([])
  })

  test('the core imports no platform', () => {
    const platform = edges(
      ({ from, to }) => toFloor(from) <= toFloor('index.ts') && /^(node:|msw\/(node|browser))/.test(to),
    )
    expect(platform).toEqual([])
  })

  test('msw is loaded by its own entry, by the service worker, and for handlers of the user', () => {
    const users = edges(({ to }) => /^msw(\/|$)/.test(to)).map((edge) => edge.split(' ')[0] ?? '')
    const allowed = /^(msw\/|demo\/worker\/|runtimes\/browser\/|service\/handlers\.ts$)/
    expect(users.filter((file) => !allowed.test(file))).toEqual([])
  })

  test('only the table and the query know the database', () => {
    const users = edges(({ to }) => to.startsWith('@mswjs/data')).map((edge) => edge.split(' ')[0])
    expect([...new Set(users)].sort()).toEqual(['store/pet-query.ts', 'store/pet-table.ts'])
  })

  test('the store knows neither Request nor msw', () => {
    const store = files.filter((file) => toRoom(file) === 'store' || toRoom(file) === 'inventory')
    expect(store.filter((file) => /\b(Request|Response)\b/.test(readCode(file)))).toEqual([])
    expect(edges(({ from, to }) => store.includes(from) && to.startsWith('msw'))).toEqual([])
  })

  test('what answers requests has timers that fake ones do not stop', () => {
    const isApart = (file: string): boolean => /^(?:cli|console|demo|runtimes\/browser)\//.test(file)
    const waiting = files.filter(
      (file) => !isApart(file) && /\bset(?:Timeout|Interval|Immediate)\(/.test(readCode(file)),
    )
    const isSafe = (file: string): boolean =>
      imports.get(file)?.includes('http/globals.ts') === true || readCode(file).includes("from 'node:timers'")
    expect(waiting.filter((file) => !isSafe(file))).toEqual(['http/globals.ts'])
  })

  test('no module keeps state that changes, but for weak maps from an object to what belongs to it', () => {
    const state = /^(?:export )?(?:let |const \w+(?:: .+)? = (?:new (?:Map|Set)\b.*\(\)|\[\]|\{\})$)/m
    // The service worker is one for its whole origin, and its module is its state.
    const found = files.filter((file) => state.test(readCode(file)) && file !== 'demo/worker/worker.ts')
    expect(found).toEqual([])
  })
})

/** The drawing of docs/architecture.md, top floor first. The main entry stands on the service. */
function readDrawing(): string[][] {
  const page = readFileSync(resolve(SRC, '../docs/architecture.md'), 'utf8')
  const [, drawing = ''] = /<!-- floors -->\n```\n([\s\S]*?)```/.exec(page) ?? []
  const floors = drawing
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  return floors.flatMap((floor) => (floor.includes('service') ? [['entry'], floor] : [floor]))
}

function readCode(file: string): string {
  return readFileSync(join(SRC, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** What a file imports: files as paths below src, packages by name. */
function readImports(file: string): string[] {
  const specifiers = Array.from(
    readCode(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g),
    ([, specifier = '']) => specifier,
  )
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(SRC, join(SRC, dirname(file), specifier)) : specifier,
  )
}

function edges(isWanted: (edge: { from: string; to: string }) => boolean): string[] {
  return Array.from(imports, ([from, targets]) =>
    targets.filter((to) => isWanted({ from, to })).map((to) => `${from} imports ${to}`),
  ).flat()
}

/** The folder below src; empty for a package. */
function toRoom(file: string): string {
  if (file === 'index.ts') return 'entry'
  return files.includes(file) ? (file.split('/')[0] ?? '') : ''
}

/** -1 where there is no such room. */
function toFloor(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(toRoom(file)))
}

function reaches(start: string, target: string, seen = new Set<string>()): boolean {
  return (imports.get(start) ?? []).some((next) => {
    if (next === target) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(next, target, seen)
  })
}

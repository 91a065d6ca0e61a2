// @ts-check
/** The quick tests of the rooms in the middle, and of the mock as a whole. */
const QUICK_TESTS = [
  '{auth,control,http,inventory,operations,service,store}/**/*',
  'sandbox/{clock,delay,fault-body,journal,journal-bounds,state-bounds}',
  'runtimes/fetch.contract',
  'mock',
  'unknown-names',
]

/**
 * The rooms of `src` that are mutated, each with its tests, which start no process and no browser.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ROOM_TESTS = {
  store: [...QUICK_TESTS, 'mock.property', 'sandbox/state-document'],
  http: QUICK_TESTS,
  control: [...QUICK_TESTS, 'sandbox/events', 'client/connect-mock'],
  sandbox: [...QUICK_TESTS, 'limits', 'mock.property', 'sandbox/**/*', 'memory/collected'],
  service: [...QUICK_TESTS, 'sandbox/faults', 'memory/collected'],
  auth: QUICK_TESTS,
  inventory: QUICK_TESTS,
  operations: QUICK_TESTS,
  client: ['client/**/*', 'unknown-names'],
  runtimes: [
    'runtimes/{fetch,guard-control,node,node.contract,sent-bodies,tls}',
    'runtimes/server*',
    'memory/collected',
  ],
  check: ['check/{prism,service}'],
  cli: ['cli/{commands,flags,load-files,record,secrets,serve,serve-log,state,state-file,terminal,wrong-use}'],
  console: ['console-logic/**/*'],
}

/** Files that run at once, or need a page. */
export const UNLOADABLE = ['src/cli/bin.ts', 'src/console/main.ts', 'src/console/views/**', 'src/runtimes/browser/**']

export const ROOMS = Object.keys(ROOM_TESTS)

/** What is mutated in this run: a room, or a folder or file of one, without its ending. */
export const PART = process.env['MUTATE_PART'] ?? 'inventory'

/** The files that are mutated. */
export const SOURCES = [`src/${PART}/**/*.ts`, `src/${PART}.ts`]

/** All tests that are run for it. */
export const TESTS = ROOM_TESTS[PART.split('/')[0] ?? ''] ?? []

// @ts-check
/** The quick tests of the rooms in the middle, and of the mock as a whole, in this process. */
const QUICK_TESTS = [
  '{auth,control,http,inventory,operations,service,store}/**/*',
  'sandbox/{clock,delay,fault-body,fault-sequences,journal,journal-memory,state-memory}',
  'runtimes/{fetch,controls.contract}',
  'mock',
  'unknown-names',
]

/**
 * The rooms of `src` that are mutated, each with its tests: first the slow ones that are its own and meet most mutants of
 * all rooms. The rooms from `client` on have only tests of their own, those that start no process and no browser.
 * @type {Readonly<Record<string, { readonly tests: readonly string[], readonly others?: readonly string[] }>>}
 */
const ROOM_TESTS = {
  store: { tests: ['mock.property', 'sandbox/state-document'], others: QUICK_TESTS },
  http: { tests: [], others: QUICK_TESTS },
  control: { tests: ['sandbox/events', 'client/connect-mock'], others: QUICK_TESTS },
  sandbox: { tests: ['mock.property', 'sandbox/**/*', 'limits'], others: QUICK_TESTS },
  service: { tests: ['sandbox/faults'], others: QUICK_TESTS },
  auth: { tests: [], others: QUICK_TESTS },
  inventory: { tests: [], others: QUICK_TESTS },
  operations: { tests: [], others: QUICK_TESTS },
  client: { tests: ['client/**/*', 'runtimes/controls.contract', 'unknown-names'] },
  runtimes: {
    tests: ['runtimes/{exchange,fetch,guard-control,node,node.contract,sent-bodies,tls}', 'runtimes/server*'],
  },
  check: { tests: ['check/{prism,service}'] },
  cli: {
    tests: ['cli/{commands,flags,load-files,record,secrets,serve,serve-log,state,state-file,terminal,wrong-use}'],
  },
  console: { tests: ['console/state'] },
}

/** Files that cannot be loaded in this process: they run at once, or need a page. */
export const UNLOADABLE = ['src/cli/bin.ts', 'src/console/main.ts', 'src/console/views/**', 'src/runtimes/browser/**']

/** Titles of tests that take seconds and meet most mutants. */
export const LEFT_OUT = [
  'does not keep the buffers that its chunks came in',
  'are 2,048 at most: one more is closed, and those that are there go on',
  'give back what a body took of the 256 MB that all of them share',
]

export const ROOMS = Object.keys(ROOM_TESTS)

/** What is mutated in this run: a room, or a folder or file of one, without its ending. */
export const PART = process.env['MUTATE_PART'] ?? 'inventory'

export const [ROOM = ''] = PART.split('/')

/** The files that are mutated. */
export const SOURCES = [`src/${PART}/**/*.ts`, `src/${PART}.ts`]

const { tests = [], others = [] } = ROOM_TESTS[ROOM] ?? {}

/** Its tests beside its folder, in `test`. */
export const OWN_TESTS = tests

/** All tests that are run for it. */
export const TESTS = [...others, ...tests]

// @ts-check
/**
 * The rooms of `src` that are mutated, each with the slow tests that are its own: they meet most mutants of all rooms.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ROOM_TESTS = {
  store: ['mock.property', 'sandbox/state-document'],
  http: [],
  control: ['sandbox/events', 'client/connect-mock'],
  sandbox: ['mock.property', 'sandbox/**/*'],
  service: ['sandbox/faults'],
  auth: [],
  inventory: [],
  operations: [],
}

/** The quick tests of all rooms, and of the mock as a whole, in this process. */
const QUICK_TESTS = [
  '{auth,control,http,inventory,operations,service,store}/**/*',
  'sandbox/{clock,delay,fault-body,fault-sequences,journal-memory,journal,state-memory}',
  'runtimes/{fetch,controls.contract}',
  'mock',
  'unknown-names',
]

/** Titles of tests that take seconds and meet most mutants. */
export const LEFT_OUT = [
  'does not keep the buffers that its chunks came in',
  'are 2,048 at most: one more is closed, and those that are there go on',
  'give back what a body took of the 256 MB that all of them share',
  // One character at a time; those of seven and more are tried.
  'of %i characters is the same state, in both versions (0)',
]

export const ROOMS = Object.keys(ROOM_TESTS)

/** The room of this run. */
export const ROOM = process.env['MUTATE_ROOM'] ?? 'inventory'

/** Its tests beside its folder, in `test`. */
export const OWN_TESTS = ROOM_TESTS[ROOM] ?? []

/** All tests that are run for it. */
export const TESTS = [...QUICK_TESTS, ...OWN_TESTS]

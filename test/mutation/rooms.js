// @ts-check
/**
 * The rooms of `src` that are mutated, each with its nearest tests: a mutant is tried with these alone.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const ROOMS = {
  inventory: ['inventory/**', 'runtimes/fetch'],
  auth: ['auth/**', 'runtimes/fetch'],
  http: ['http/**', 'runtimes/fetch'],
  operations: ['operations/**', 'runtimes/fetch', 'mock'],
  store: ['store/**', 'sandbox/state-document'],
  sandbox: ['sandbox/**', 'control/**'],
  control: ['control/**', 'client/**', 'sandbox/{events,journal,faults}'],
  service: ['service/**', 'mock', 'runtimes/fetch'],
}

/** The room of this run. */
export const ROOM = process.env['MUTATE_ROOM'] ?? 'inventory'

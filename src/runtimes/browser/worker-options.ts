import { assertKnown } from '../../http/assert-known.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import type { UnhandledRequest } from '../shared/unhandled-request.ts'
import type { PersistWarning } from './persist/persist-warning.ts'

/** How to answer a page's requests. */
export interface WorkerOptions {
  /**
   * Who answers. `worker` is a service worker: it sees all that the page loads, and needs a secure page (https, or
   * localhost). `page` answers inside the page, where there can be no service worker: `fetch` and XMLHttpRequest of the
   * page's own scripts, but no images, forms, frames or Web Workers.
   * @default 'worker'
   */
  readonly mode?: 'worker' | 'page'
  /**
   * The address of msw's worker script, as `petstore-mock init` put it into the site; relative to the page.
   * @default '/mockServiceWorker.js'
   */
  readonly workerUrl?: string
  /**
   * The pages that the worker serves: all whose address starts with this one. Wider than the script's own folder it
   * needs the header `Service-Worker-Allowed` on the script.
   * @default the folder of the script
   */
  readonly scope?: string
  /**
   * What happens to a request that is not for the mock: it goes to the network, with a warning, or it fails. A page's
   * own files, scripts and images among them, always go to the network.
   * @default 'bypass'
   */
  readonly onUnhandledRequest?: UnhandledRequest
  /**
   * Keeps the state, that of all sandboxes, in the browser (IndexedDB): it survives a reload, and the tabs of the origin
   * share it. A text is the name of one of several states of an origin; `true` is the name `default`.
   *
   * What is stored goes before the mock's own state, also where its fixture is another by now, until `forget()`.
   * Journal, faults, delays and handlers are not kept. Where nothing can be stored, a private window for one, the mock
   * goes on in memory, and `onPersistWarning` says so.
   * @default false
   */
  readonly persist?: boolean | string
  /**
   * Told what `persist` could not do, at the start or later, so that a page can show it. The mock goes on in any case.
   * @default writes the warning's message with `console.warn`
   */
  readonly onPersistWarning?: (warning: PersistWarning) => void
  /**
   * How long the worker may take to start, and to stop, in milliseconds.
   * @default 10000
   */
  readonly timeout?: number
}

const UNHANDLED_REQUESTS = ['bypass', 'warn', 'error'] as const satisfies readonly UnhandledRequest[]
const MODES = ['worker', 'page'] as const

/** The options that do not speak of the worker's script, read and completed. */
export interface ParsedWorkerOptions {
  readonly mode: 'worker' | 'page'
  /** The name of the state that is kept; `undefined` keeps none. */
  readonly persist: string | undefined
  readonly onPersistWarning: (warning: PersistWarning) => void
  readonly onUnhandledRequest: UnhandledRequest
  readonly timeout: number
}

const KNOWN: Readonly<Record<keyof WorkerOptions, true>> = {
  mode: true,
  workerUrl: true,
  scope: true,
  persist: true,
  onPersistWarning: true,
  onUnhandledRequest: true,
  timeout: true,
}

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseWorkerOptions(options: WorkerOptions): ParsedWorkerOptions {
  assertKnown(options, { failure: 'Failed to start the worker', known: Object.keys(KNOWN) })
  const { mode = 'worker', onUnhandledRequest = 'bypass', timeout = 10_000, onPersistWarning = warn } = options
  assertOneOf('mode', mode, MODES)
  assertOneOf('onUnhandledRequest', onUnhandledRequest, UNHANDLED_REQUESTS)
  if (!(timeout > 0 && timeout <= 2 ** 31 - 1))
    throw createOptionError('timeout', `must be a number of milliseconds above 0, got ${quote(timeout)}.`)
  if (typeof onPersistWarning !== 'function')
    throw createOptionError('onPersistWarning', `must be a function, got ${quote(onPersistWarning)}.`)
  const needless = (['workerUrl', 'scope'] as const).find((name) => options[name] !== undefined)
  if (mode === 'page' && needless !== undefined)
    throw createOptionError(needless, "is for a service worker, and mode 'page' has none. Leave it out.")
  return { mode, persist: parsePersist(options.persist), onPersistWarning, onUnhandledRequest, timeout }
}

function warn({ message }: PersistWarning): void {
  console.warn(message)
}

function parsePersist(persist: boolean | string = false): string | undefined {
  if (typeof persist === 'string' && persist !== '') return persist
  if (typeof persist !== 'boolean')
    throw createOptionError('persist', `must be true, false or a name, got ${quote(persist)}.`)
  return persist ? 'default' : undefined
}

export function createOptionError(name: keyof WorkerOptions | (string & {}), problem: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to start the worker: the option ${name} ${problem}`)
}

function assertOneOf(name: keyof WorkerOptions, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw createOptionError(name, `must be one of ${known.join(', ')}, got ${quote(value)}.`)
}

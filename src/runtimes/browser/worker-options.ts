import * as v from 'valibot'
import { MockError } from '../../http/mock-error.ts'
import { callback, must, object, oneOf, parseWith, readAs } from '../../http/schema.ts'
import { UNHANDLED_REQUEST, type UnhandledRequest } from '../shared/unhandled-request.ts'
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

/** The options, read and completed. */
export interface ParsedWorkerOptions extends Pick<WorkerOptions, 'workerUrl' | 'scope'> {
  readonly mode: 'worker' | 'page'
  /** The name of the state that is kept; `undefined` keeps none. */
  readonly persist: string | undefined
  readonly onPersistWarning: (warning: PersistWarning) => void
  readonly onUnhandledRequest: UnhandledRequest
  readonly timeout: number
}

const needless = "is for a service worker, and mode 'page' has none. Leave it out"
const address = v.optional(v.string(must('an address')))

const PERSIST = v.pipe(
  v.custom<boolean | string>(
    (value) => typeof value === 'boolean' || (typeof value === 'string' && value !== ''),
    must('true, false or a name'),
  ),
  v.transform((value) => (value === true ? 'default' : value || undefined)),
)

const OPTIONS = v.pipe(
  object<ParsedWorkerOptions>({
    mode: v.optional(oneOf(['worker', 'page']), 'worker'),
    workerUrl: address,
    scope: address,
    persist: v.optional(PERSIST, false),
    onPersistWarning: v.optional(callback<(warning: PersistWarning) => void>(), () => warn),
    onUnhandledRequest: v.optional(oneOf(UNHANDLED_REQUEST), 'bypass'),
    timeout: v.optional(readAs(readTimeout, 'a number of milliseconds above 0'), 10_000),
  }),
  v.check(({ mode, workerUrl }) => mode === 'worker' || workerUrl === undefined, `workerUrl ${needless}`),
  v.check(({ mode, scope }) => mode === 'worker' || scope === undefined, `scope ${needless}`),
)

const FAILURE = 'Failed to start the worker'

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseWorkerOptions(options: WorkerOptions): ParsedWorkerOptions {
  return parseWith(OPTIONS, options, { failure: FAILURE })
}

function warn({ message }: PersistWarning): void {
  console.warn(message)
}

function readTimeout(timeout: unknown): number | undefined {
  return typeof timeout === 'number' && timeout > 0 && timeout <= 2 ** 31 - 1 ? timeout : undefined
}

export function createOptionError(name: keyof WorkerOptions, problem: string): MockError {
  return new MockError('INVALID_OPTION', `${FAILURE}: ${name} ${problem}`)
}

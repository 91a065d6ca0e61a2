import * as v from 'valibot'
import { boolean, callback, must, object, oneOf, parseWith } from '../../http/schema.ts'
import { type InterceptOptions, UNHANDLED_REQUEST } from '../shared/unhandled-request.ts'
import type { PersistWarning } from './persist.ts'
import { START_FAILURE } from './start-errors.ts'

/** Options of `startWorker`. */
export interface WorkerOptions extends InterceptOptions {
  /**
   * Where requests are intercepted. `worker`: in a service worker, which sees everything the page loads and needs a secure
   * page (https or localhost). `page`: inside the page, without a service worker; covers `fetch` and XMLHttpRequest of the
   * page's own scripts, but not images, forms, frames or web workers.
   * @default 'worker'
   */
  readonly mode?: 'worker' | 'page'
  /**
   * The URL of msw's worker script, which `petstore-mock init` creates; relative to the page. The worker controls the pages
   * in the script's folder.
   * @default '/mockServiceWorker.js'
   */
  readonly workerUrl?: string
  /**
   * Stores the state of all sandboxes in the browser (IndexedDB). It survives a reload, and all tabs of the origin share
   * it. A string names one of several states per origin; `true` means `default`.
   *
   * Stored state overrides the mock's fixture, even after you edit the fixture, until `forget()`. Journal, faults, delays
   * and handlers are not stored. If nothing can be stored, for example in a private window, the mock continues in memory
   * and reports it to `onPersistWarning`.
   * @default false
   */
  readonly persist?: boolean | string
  /**
   * Called when `persist` cannot store or restore something, so that a page can show it. The mock continues in any case.
   * @default logs the message with `console.warn`
   */
  readonly onPersistWarning?: (warning: PersistWarning) => void
  /**
   * Adds the console to the page, in development only: see `mountPanel`.
   * @default false
   */
  readonly panel?: boolean
  /**
   * `true` turns off the line in the browser's console. It says which requests the mock answers and, if the fixture has
   * changed since the state was stored, that the state is from an earlier visit.
   * @default false
   */
  readonly quiet?: boolean
}

export interface ParsedWorkerOptions
  extends Pick<WorkerOptions, 'workerUrl' | 'onUnhandledRequest'>,
    Required<Pick<WorkerOptions, 'mode' | 'onPersistWarning' | 'panel' | 'quiet'>> {
  /** The name of the stored state; `undefined` stores none. */
  readonly persist: string | undefined
}

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
    workerUrl: v.optional(v.string(must('an address'))),
    persist: v.optional(PERSIST, false),
    onPersistWarning: v.optional(
      callback<(warning: PersistWarning) => void>(),
      () =>
        ({ message }: PersistWarning) =>
          console.warn(message),
    ),
    onUnhandledRequest: v.optional(UNHANDLED_REQUEST),
    panel: v.optional(boolean, false),
    quiet: v.optional(boolean, false),
  }),
  v.check(
    ({ mode, workerUrl }) => mode === 'worker' || workerUrl === undefined,
    "workerUrl is for a service worker, and mode 'page' has none. Leave it out",
  ),
)

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseWorkerOptions(options: WorkerOptions): ParsedWorkerOptions {
  return parseWith(OPTIONS, options, { failure: START_FAILURE })
}

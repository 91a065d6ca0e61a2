import { createStore, type Store } from '../console/state/console-state.ts'
import { attempt } from '../console/state/settings.ts'
import { type PersistWarning, type RunningWorker, startWorker } from '../runtimes/browser.ts'
import type { DemoData } from '../runtimes/shared/demo-data.ts'
import { createMock } from '../service/create-mock.ts'
import { type Mock, toService, withService } from '../service/mock.ts'
import type { MockOptions } from '../service/mock-options.ts'

/** A mock in the page's service worker, without the views. */
export interface Demo {
  readonly store: Store<DemoState>
  /** Resolves to whether the mock has started; if not, the state contains the reason. */
  start(): Promise<boolean>
  /** Turns persistence on or off. Turning it on may restore an earlier state. */
  setKept(isKept: boolean): Promise<void>
  /** Restores the seed in all tabs, and deletes quarantined state. */
  startAgain(): Promise<void>
  dismiss(warning: PersistWarning): void
}

/**
 * @param folder The folder of the page and its files.
 * @param data What the demo shows instead of the default fixture.
 */
export function createDemo(folder: URL, data?: DemoData): Demo {
  // An origin can host several demos. Where the browser blocks storage, the setting lasts until the page reloads.
  const setting = `petstore-mock demo ${folder.pathname} keep`
  const mock = placeInFolder(createMock(toOptions(data)), folder)
  const store = createStore<DemoState>({
    phase: 'busy',
    failure: undefined,
    isKept: attempt(() => localStorage.getItem(setting)) !== 'no',
    isInMemory: false,
    notice: '',
    warnings: [],
  })
  let worker: RunningWorker | undefined
  /** Serializes restarts, so that a toggle during a restart takes effect too. */
  let turn = Promise.resolve()

  /** Runs work during which the mock is unavailable. */
  async function tryTo(work: () => Promise<unknown>): Promise<boolean> {
    store.set({ phase: 'busy' })
    try {
      await work()
      store.set({ phase: 'running' })
      return true
    } catch (error) {
      store.set({ phase: 'failed', failure: explainFailure(error) })
      return false
    }
  }

  function warn(warning: PersistWarning): void {
    const { warnings, isInMemory } = store.state
    store.set({ warnings: [...warnings, warning], isInMemory: isInMemory || warning.kind === 'in-memory' })
  }

  async function open(): Promise<void> {
    worker = await startWorker(mock, {
      workerUrl: new URL('worker.js', folder).href,
      persist: store.state.isKept && toStoreName(folder, data),
      onPersistWarning: warn,
    })
  }

  async function restart(isKept: boolean): Promise<void> {
    if (store.state.phase !== 'running' || store.state.isKept === isKept) return
    attempt(() => localStorage.setItem(setting, isKept ? 'yes' : 'no'))
    store.set({ isKept, isInMemory: false, warnings: [] })
    await tryTo(async () => {
      await worker?.stop()
      await open()
    })
  }

  return {
    store,
    async start() {
      let isOld = false
      const isRunning = await tryTo(async () => {
        const before = navigator.serviceWorker?.controller ?? null
        await open()
        isOld = loadNewest(before)
      })
      return isRunning && !isOld
    },
    setKept(isKept) {
      turn = turn.then(() => restart(isKept))
      return turn
    },
    async startAgain() {
      store.set({ notice: '' })
      await worker?.forget()
      store.set({ notice: 'Started again from the seed', warnings: [] })
    },
    dismiss(warning) {
      store.set({ warnings: store.state.warnings.filter((each) => each !== warning) })
    },
  }
}

function toOptions(data: DemoData | undefined): MockOptions {
  return data === undefined ? {} : { fixture: data.fixture, fixtureName: data.name, apiKeys: [data.apiKey] }
}

/** New data begins with a new state. */
function toStoreName({ pathname }: URL, data: DemoData | undefined): string {
  return data === undefined ? `demo ${pathname}` : `demo ${pathname} ${data.id}`
}

/**
 * Reloads the page when the worker of a newer build takes over, on startup or from another tab: the page belongs to the
 * older build, and a worker answers no page loaded before it. Returns whether the page reloads now.
 * @param before The worker that loaded the page, if any.
 */
function loadNewest(before: ServiceWorker | null): boolean {
  const { serviceWorker } = navigator
  const isOld = before !== null && before !== serviceWorker.controller
  if (isOld) location.reload()
  else serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  return isOld
}

/** Why the mock did not start. */
function explainFailure(error: unknown): Failure {
  return { reason: toReason(), detail: error instanceof Error ? error.message : String(error) }
}

function toReason(): string {
  if (location.protocol === 'file:') {
    return 'This page was opened from a file. It needs a web server: run npx petstore-mock demo, or host the folder on https or localhost.'
  }
  if (!isSecureContext) {
    return `The demo runs in a service worker, which browsers allow only on https and localhost. This page is at ${location.origin}.`
  }
  if (!('serviceWorker' in navigator)) {
    return 'The demo runs in a service worker, and this window does not allow one, perhaps because it is private. Open the page in a normal window.'
  }
  return 'The demo runs in a service worker, which did not start. The browser may forbid it for this site, or a file of the demo may be missing on the server.'
}

/**
 * Mounts a mock in a folder of the page's origin, like a reverse proxy that strips a path prefix: the mock and its
 * journal see paths without the folder. The mock answers nothing else on the origin.
 * @param folder With a trailing slash.
 */
function placeInFolder(mock: Mock, folder: URL): Mock {
  const service = toService(mock)
  const controls: Mock = {
    ...mock,
    async fetch(input, init) {
      const request = new Request(input, init)
      const inner = toInner(new URL(request.url), folder)
      if (inner === undefined) throw new TypeError(`Failed to fetch: ${request.url} is outside ${folder.href}.`)
      return mock.fetch(await toMoved(request, inner))
    },
  }
  return withService(controls, {
    ...service,
    covers(url) {
      const inner = toInner(url, folder)
      return inner !== undefined && service.covers(inner)
    },
  })
}

function toInner(url: URL, { origin, pathname }: URL): URL | undefined {
  if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined
  const inner = new URL(url)
  inner.pathname = url.pathname.slice(pathname.length - 1)
  return inner
}

/** Firefox has no `Request.body`, so copying a `Request` would lose its body there. */
async function toMoved(request: Request, url: URL): Promise<Request> {
  const { method, headers, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(url, { method, headers, signal, body })
}

/** Everything the demo's own views show. */
export interface DemoState {
  /** `busy`: the mock is starting. */
  readonly phase: 'busy' | 'running' | 'failed'
  readonly failure: Failure | undefined
  /** Whether the user wants the state to survive reloads and be shared by the tabs. */
  readonly isKept: boolean
  /** Whether the state cannot be stored, although `isKept` is set. */
  readonly isInMemory: boolean
  /** The last action, for screen readers. */
  readonly notice: string
  /** Persistence problems that are not dismissed yet. */
  readonly warnings: readonly PersistWarning[]
}

/** Why the demo cannot run. */
export interface Failure {
  /** The reason for visitors, with what to do. */
  readonly reason: string
  /** The technical message for the site's operator. */
  readonly detail: string
}

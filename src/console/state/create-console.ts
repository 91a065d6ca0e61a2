import { type Addresses, type Control, createAddresses, createControl } from '../api/control.ts'
import { DEFAULT_SANDBOX, isSandboxName } from '../api/sandbox-key.ts'
import { type Actions, createActions } from './actions.ts'
import { type ConsoleState, createStore, type Notice, type Store } from './console-state.ts'
import { NO_TRAFFIC } from './journal.ts'
import { createPetList } from './pets.ts'
import type { CopyForm } from './reuse-request.ts'
import { createSettings, type Settings } from './settings.ts'
import { keepInSync } from './sync.ts'

/** The console without its views. */
export interface Console {
  readonly store: Store<ConsoleState>
  readonly actions: Actions
  readonly settings: Settings
  readonly addresses: Addresses
  /** The format of copied requests. */
  readonly copyAs: CopyForm
  readonly title: string
  /** What to do if the service rejects the key. */
  readonly keyAdvice: string
  /** Cancels all requests and timers. */
  stop(): void
}

interface CreateConsoleOptions {
  readonly root: URL
  /** From the page's URL, so it may be invalid. */
  readonly sandbox: string
  readonly copyAs: CopyForm
  readonly title: string
  readonly apiKey: string
  readonly keyAdvice: string
  /** A problem with the page's URL. */
  readonly problem: string | undefined
  /** A fixture to load first, unless there is a problem. */
  readonly fixture: string | undefined
}

export function createConsole(options: CreateConsoleOptions): Console {
  const { root, sandbox: wanted, copyAs, title, apiKey, keyAdvice, problem, fixture } = options
  const sandbox = isSandboxName(wanted) ? wanted : DEFAULT_SANDBOX
  const addresses = createAddresses(root)
  const settings = createSettings()
  const store = createStore<ConsoleState>({
    ...toBlank(sandbox),
    apiKey: settings.read('key') ?? apiKey,
    isKeyRefused: false,
    token: settings.read('token') ?? '',
    health: undefined,
    fixtures: [],
    sandboxes: [],
    notice: toAddressNotice(problem ?? (sandbox === wanted ? undefined : explainName(wanted))),
  })
  let session = new AbortController()
  let control: Control

  /** Switches to a sandbox and loads it from scratch. */
  function open(name: string): void {
    session.abort()
    session = new AbortController()
    const { signal } = session
    control = createControl({ addresses, sandbox: name, getToken: () => store.state.token, signal })
    store.set(toBlank(name))
    keepInSync(store, { control, signal })
  }

  open(sandbox)
  const actions = createActions({ store, settings, addresses, open, getControl: () => control })
  if (fixture !== undefined && store.state.notice === undefined) {
    whenLoaded(store, () => void actions.loadFixture(fixture))
  }
  return { store, actions, settings, addresses, copyAs, title, keyAdvice, stop: () => session.abort() }
}

/** The state of a sandbox before anything is loaded. */
function toBlank(sandbox: string) {
  return {
    connection: 'connecting',
    refusal: 0,
    sandbox,
    fixture: '',
    petCount: undefined,
    pets: createPetList(),
    isLoaded: false,
    isReady: false,
    journal: [],
    cleared: [],
    traffic: NO_TRAFFIC,
    faults: [],
    delay: null,
  } as const satisfies Partial<ConsoleState>
}

/** Undo needs to know the state before. */
function whenLoaded(store: Store<ConsoleState>, run: () => void): void {
  const stop = store.subscribe(() => {
    const { isReady, petCount } = store.state
    if (!isReady || petCount === undefined) return
    stop()
    run()
  })
}

function explainName(wanted: string): string {
  return `Invalid sandbox name “${wanted}”: use 1 to 64 letters, digits, dots, underscores or hyphens. Showing the default sandbox instead.`
}

function toAddressNotice(problem: string | undefined): Notice | undefined {
  return problem === undefined ? undefined : { text: problem, isError: true }
}

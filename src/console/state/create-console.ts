import { type Addresses, createAddresses } from '../api/addresses.ts'
import { type Control, createControl } from '../api/control.ts'
import { DEFAULT_SANDBOX, isSandboxName } from '../api/sandbox-name.ts'
import { type Actions, createActions } from './actions.ts'
import type { ConsoleState, Notice } from './console-state.ts'
import type { CopyForm } from './copy-request.ts'
import { createPetList } from './pet-list.ts'
import { createSettings, type Settings } from './settings.ts'
import { createStore, type Store } from './store.ts'
import { keepInSync } from './sync.ts'
import { NO_TRAFFIC } from './traffic.ts'

const DEFAULT_KEY = 'demo-key'

/** The console without its views. */
export interface Console {
  readonly store: Store<ConsoleState>
  readonly actions: Actions
  readonly settings: Settings
  readonly addresses: Addresses
  /** What a request is copied as. */
  readonly copyAs: CopyForm
  /** Ends every request and timer. */
  stop(): void
}

export interface CreateConsoleOptions {
  readonly root: URL
  /** As the page's address has it: it may be no sandbox's name. */
  readonly sandbox: string
  readonly copyAs: CopyForm
}

export function createConsole({ root, sandbox: wanted, copyAs }: CreateConsoleOptions): Console {
  const sandbox = isSandboxName(wanted) ? wanted : DEFAULT_SANDBOX
  const addresses = createAddresses(root)
  const settings = createSettings()
  const store = createStore<ConsoleState>({
    ...toBlank(sandbox),
    apiKey: settings.read('key') ?? DEFAULT_KEY,
    isKeyRefused: false,
    token: settings.read('token') ?? '',
    health: undefined,
    fixtures: [],
    sandboxes: [],
    notice: sandbox === wanted ? undefined : toNameNotice(wanted),
  })
  let session = new AbortController()
  let control: Control

  /** Leaves what was, and follows a sandbox from its beginning. */
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
  return { store, actions, settings, addresses, copyAs, stop: () => session.abort() }
}

/** What is known of a sandbox before the mock said anything of it. */
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

function toNameNotice(wanted: string): Notice {
  const text = `There is no sandbox “${wanted}”: a name has 1 to 64 letters, digits, dots, underscores or hyphens. This is the default sandbox.`
  return { text, isError: true }
}

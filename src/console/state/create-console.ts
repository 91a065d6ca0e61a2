import { type Addresses, createAddresses } from '../api/addresses.ts'
import { type Control, createControl } from '../api/control.ts'
import { type Actions, createActions } from './actions.ts'
import type { ConsoleState } from './console-state.ts'
import { createPetList } from './pet-list.ts'
import { createSettings, type Settings } from './settings.ts'
import { createStore, type Store } from './store.ts'
import { keepInSync } from './sync.ts'

const DEFAULT_KEY = 'demo-key'

/** The console without its views. */
export interface Console {
  readonly store: Store<ConsoleState>
  readonly actions: Actions
  readonly settings: Settings
  readonly addresses: Addresses
  /** Ends every request and timer. */
  stop(): void
}

export function createConsole({ root, sandbox }: { root: URL; sandbox: string }): Console {
  const addresses = createAddresses(root)
  const settings = createSettings()
  const store = createStore<ConsoleState>({
    ...toBlank(sandbox),
    apiKey: settings.read('key') ?? DEFAULT_KEY,
    token: settings.read('token') ?? '',
    health: undefined,
    fixtures: [],
    sandboxes: [],
    notice: undefined,
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
  return { store, actions, settings, addresses, stop: () => session.abort() }
}

/** What is known of a sandbox before the double said anything of it. */
function toBlank(sandbox: string) {
  return {
    connection: 'connecting',
    sandbox,
    fixture: '',
    pets: createPetList(),
    isLoaded: false,
    journal: [],
    traffic: new Map(),
    faults: [],
    delay: null,
  } as const satisfies Partial<ConsoleState>
}

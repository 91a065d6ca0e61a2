import { type Addresses, type Control, createAddresses, createControl } from '../api/control.ts'
import { DEFAULT_API_KEY, DEFAULT_SANDBOX, isSandboxName, splitApiKey } from '../api/model.ts'
import type { ActionParts } from './action-parts.ts'
import { createActions } from './actions.ts'
import { type ConsoleState, createStore } from './console-state.ts'
import { NO_REQUESTS, PAGE } from './journal.ts'
import { createPetList } from './pets.ts'
import { explainLink, keepPlace, readPlace, readSetting } from './place.ts'
import type { CopyForm } from './reuse-request.ts'
import { keepInSync } from './sync.ts'

/** Options of the console. */
export interface ConsoleOptions {
  /** The URL below which `_mock/` and the service are. @default the parent of the page's folder */
  readonly origin?: string
  /** Sends the requests of the console. @default globalThis.fetch */
  readonly fetch?: Addresses['fetch']
  /** What has the console's keys and colours: the whole page, or an element of a page that keeps its URL and title. */
  readonly root?: HTMLElement
  /** The forms in which requests can be copied: no shell can reach a mock inside the page. @default all three */
  readonly copyForms?: readonly CopyForm[]
  /** Whether faults and latency last until the tab is closed, also after a reload. @default false */
  readonly keepsFaults?: boolean
  /** The page's title. @default 'petstore-mock' */
  readonly title?: string | undefined
  /** What a pet is called, shown beside its id. @default nothing */
  readonly nameOf?: (petId: string) => string | undefined
  /** The API key until another one is entered; none if demo-key is not valid. @default 'demo-key' */
  readonly apiKey?: string | undefined
  /** What to do if the service rejects the key. @default 'Enter a key that the mock was started with (--api-key).' */
  readonly keyAdvice?: string | undefined
  /** Copies a link to what the page shows. @default copies the page's URL */
  readonly copyLink?: () => void
}

/** The console without its views. */
export type Console = ReturnType<typeof createConsole>

export function createConsole(options: ConsoleOptions) {
  const {
    origin = '..',
    fetch = (url, init) => globalThis.fetch(url, init),
    root = document.documentElement,
    copyForms = ['curl', 'fetch', 'test'],
    keepsFaults = false,
    title = 'petstore-mock',
    nameOf = () => undefined,
    apiKey = DEFAULT_API_KEY,
    keyAdvice = 'Enter a key that the mock was started with (--api-key).',
    copyLink = () => void actions.copy(location.href, `Link copied${explainLink()}`),
  } = options
  /** Whether the console is a part of somebody else's page. */
  const isPart = root !== document.documentElement
  const own = splitApiKey(apiKey) ?? { apiKey, sandbox: DEFAULT_SANDBOX }
  const place = isPart ? { ...readPlace(''), sandbox: own.sandbox } : readPlace()
  const sandbox = isSandboxName(place.sandbox) ? place.sandbox : DEFAULT_SANDBOX
  const base = new URL(origin, location.href)
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  const addresses = createAddresses(base, fetch)
  const store = createStore<ConsoleState>({
    ...toBlank(sandbox),
    find: place.find,
    opened: place.opened,
    apiKey: readSetting('key') ?? own.apiKey,
    isKeyRefused: false,
    token: readSetting('token') ?? '',
    health: undefined,
    changes: 0,
    basePath: '/v1',
    fixtures: [],
    sandboxes: [],
    notice: sandbox === place.sandbox ? undefined : { text: explainName(place.sandbox), isError: true },
  })
  let session = new AbortController()
  let control: Control
  let refreshRequests: (() => void) | undefined

  /** Switches to a sandbox and loads it from scratch. */
  function open(name: string): void {
    session.abort()
    session = new AbortController()
    const { signal } = session
    control = createControl({ addresses, sandbox: name, getToken: () => store.state.token, signal })
    store.set(toBlank(name))
    refreshRequests = keepInSync(store, { control, signal })
  }

  open(sandbox)
  const leavePlace = isPart ? undefined : keepPlace(store, { title, open })
  const parts: ActionParts = {
    store,
    addresses,
    open(name) {
      store.set({ find: '', opened: undefined })
      open(name)
    },
    getControl: () => control,
    refreshRequests: () => refreshRequests?.(),
  }
  const actions = createActions(parts)
  const stop = (): void => {
    session.abort()
    leavePlace?.()
  }
  return { ...parts, actions, copyForms, keepsFaults, root, title, nameOf, keyAdvice, copyLink, isPart, stop }
}

/** The state of a sandbox before anything is loaded. */
function toBlank(sandbox: string) {
  return {
    connection: 'connecting',
    sandbox,
    fixture: '',
    pets: createPetList(),
    isReady: false,
    requests: NO_REQUESTS,
    listLength: PAGE,
    isPaused: false,
    faults: [],
    draft: undefined,
    delay: null,
  } as const satisfies Partial<ConsoleState>
}

function explainName(wanted: string): string {
  return `Invalid sandbox name “${wanted}”: use 1 to 64 letters, digits, dots, underscores or hyphens. Showing the default sandbox instead.`
}

import type { Control } from '../api/control.ts'
import { followEvents } from '../api/events.ts'
import { DEFAULT_API_KEY, parseJson } from '../api/model.ts'
import type { ConsoleState, Store } from './console-state.ts'
import { isHeld, loadRequests, NO_REQUESTS } from './journal.ts'
import { applyPetEvent, createPetList, type PetEvent } from './pets.ts'

/** The changes that may have been missed, or are those of another sandbox: more than the one of an action. */
const UNKNOWN = 2

/** Keeps the store in sync with the mock until `signal` aborts. Returns what loads the list of requests again. */
export function keepInSync(
  store: Store<ConsoleState>,
  { control, signal }: { control: Control; signal: AbortSignal },
): () => void {
  const pets = createReplica({
    load: () => control.ask('GET /state'),
    begin: ({ inventory }) => store.set({ pets: createPetList(inventory) }),
    apply: (event: PetEvent) => store.set({ pets: applyPetEvent(store.state.pets, event) }),
  })
  const requests = createRefresher({
    async load() {
      const { state: before } = store
      const requests = await loadRequests(control, before)
      const { state } = store
      // Otherwise, something else is wanted by now, and asked for next.
      if (before.find === state.find && before.requests === state.requests && isHeld(before) === isHeld(state))
        store.set({ requests })
    },
    signal,
  })
  const keep = (load: () => Promise<Partial<ConsoleState>>) =>
    createReplica({ load, begin: store.set, apply: store.set })
  const faults = keep(() => control.ask('GET /faults').then((faults) => ({ faults })))
  const delay = keep(() => control.ask('GET /delay'))

  /** Whether everything was asked since the stream began. */
  let isAsked = false

  async function askEverything(): Promise<void> {
    isAsked = true
    if (store.state.connection !== 'connecting') countChanges(UNKNOWN)
    const [health, fixtures] = await Promise.all([
      control.ask('GET /health'),
      control.ask('GET /fixtures'),
      pets.refresh(),
      requests(),
      faults.refresh(),
      delay.refresh(),
    ])
    const isWrong = !health.hasDemoKey && store.state.apiKey === DEFAULT_API_KEY
    const { basePath } = health
    store.set({ connection: 'live', isReady: true, health, basePath, fixtures, ...(isWrong && { apiKey: '' }) })
  }

  const refreshRequests = (): void => void requests().catch(() => {})
  const countChanges = (number: number): void => store.set({ changes: store.state.changes + number })

  function pushPet(event: PetEvent): void {
    countChanges(1)
    pets.push(event)
  }

  const readers: Readonly<Record<string, (data: string) => unknown>> = {
    pet: (data) => pushPet({ pet: parseJson(data) }),
    'pet-removed': (data) => pushPet({ removed: parseJson<{ petId: string }>(data).petId }),
    exchange: refreshRequests,
    'journal-cleared'() {
      store.set({ opened: undefined, requests: NO_REQUESTS })
      refreshRequests()
    },
    faults: (data) => faults.push({ faults: parseJson(data) }),
    delay: (data) => delay.push(parseJson(data)),
    state(data) {
      store.set({ fixture: parseJson<{ fixture: string }>(data).fixture })
      // The first event of a stream, which begins with a state, tells nothing new.
      const isNew = !isAsked
      if (isNew) countChanges(1)
      const loading = isNew ? pets.refresh() : undefined
      isAsked = false
      return loading
    },
  }

  countChanges(UNKNOWN)
  void followEvents({
    open: control.openEvents,
    onOpen: askEverything,
    onEvent: ({ event = '', data }) => readers[event]?.(data),
    onLocked: () => store.set({ connection: 'locked' }),
    onLost: () => store.set({ connection: 'lost' }),
    signal,
  })
  return refreshRequests
}

/** Changes in quick succession load the list once per this time, in milliseconds. */
const REFRESH_MS = 300

/** Loads something again whenever it may have changed: at once, then at intervals. */
export function createRefresher({ load, signal }: { load: () => Promise<void>; signal: AbortSignal }) {
  let isBusy = false
  let isStale = false
  return async function refresh(): Promise<void> {
    isStale = true
    if (isBusy) return
    isBusy = true
    try {
      while (isStale && !signal.aborted) {
        isStale = false
        await load()
        if (isStale) await new Promise((resolve) => setTimeout(resolve, REFRESH_MS))
      }
    } finally {
      isBusy = false
    }
  }
}

/**
 * A copy of state in the mock, updated by events. An event that arrives during a reload may be older or newer than the
 * loaded state. Events carry new values, not differences, so applying them again in order is correct in both cases.
 */
export function createReplica<Whole, Event>(options: {
  readonly load: () => Promise<Whole>
  readonly begin: (whole: Whole) => void
  readonly apply: (event: Event) => void
}) {
  const { load, begin, apply } = options
  /** The events since the latest load began, until it ends. */
  let kept: Event[] | undefined
  let latest = Promise.resolve()
  async function reload(): Promise<void> {
    kept = []
    try {
      begin(await load())
      for (const event of kept) apply(event)
    } finally {
      kept = undefined
    }
  }
  return {
    /** Reloads everything, after the refresh before. Throws if that fails; events are still applied. */
    refresh() {
      latest = latest.catch(() => {}).then(reload)
      return latest
    },
    push(event: Event) {
      kept?.push(event)
      apply(event)
    },
  }
}

import type { Control } from '../api/control.ts'
import { followEvents } from '../api/follow-events.ts'
import type { Delay, Exchange, Fault } from '../api/model.ts'
import { parseJson } from '../api/parse-json.ts'
import type { ServerEvent } from '../api/read-events.ts'
import { DEFAULT_API_KEY } from './api-key.ts'
import type { ConsoleState } from './console-state.ts'
import { addToJournal, toNewestFirst } from './journal.ts'
import { loadJournal } from './load-journal.ts'
import { applyPetEvent, createPetList, type PetEvent } from './pet-list.ts'
import { createReplica } from './replica.ts'
import type { Store } from './store.ts'
import { addToTraffic, NO_TRAFFIC } from './traffic.ts'

/** Keeps the store in sync with the mock until `signal` aborts. */
export function keepInSync(
  store: Store<ConsoleState>,
  { control, signal }: { control: Control; signal: AbortSignal },
): void {
  const pets = createReplica({
    load: () => control.ask('GET /state'),
    begin: ({ inventory }) => store.set({ pets: createPetList(inventory), isLoaded: true }),
    apply: (event: PetEvent) => store.set({ pets: applyPetEvent(store.state.pets, event) }),
  })
  const journal = createReplica({
    load: () => loadJournal(control),
    begin: ({ entries, traffic }) => store.set({ journal: toNewestFirst(entries), traffic }),
    apply(event: { exchange: Exchange; seenAt: number } | 'cleared') {
      if (event === 'cleared') return store.set({ journal: [], traffic: NO_TRAFFIC })
      const { exchange, seenAt } = event
      const next = addToJournal(store.state.journal, exchange)
      if (next === store.state.journal) return
      store.set({ journal: next, traffic: addToTraffic(store.state.traffic, exchange, seenAt) })
    },
  })
  const faults = createReplica({
    load: () => control.ask('GET /faults'),
    begin: (list) => store.set({ faults: list }),
    apply: (list: readonly Fault[]) => store.set({ faults: list }),
  })
  const delay = createReplica({
    load: () => control.ask('GET /delay'),
    begin: (answer) => store.set(answer),
    apply: (answer: { delay: Delay }) => store.set(answer),
  })

  /** Everything except the pets, which the first event of each stream causes to load. */
  async function askEverything(): Promise<void> {
    const [health, fixtures, sandboxes] = await Promise.all([
      control.ask('GET /health'),
      control.ask('GET /fixtures'),
      control.ask('GET /sandboxes'),
      journal.refresh(),
      faults.refresh(),
      delay.refresh(),
    ])
    const isWrong = !health.hasDemoKey && store.state.apiKey === DEFAULT_API_KEY
    store.set({ isReady: true, health, fixtures, sandboxes, ...(isWrong && { apiKey: '' }) })
  }

  /** What the first event of a stream would tell, too. */
  async function askWithoutStream(): Promise<void> {
    await Promise.all([askEverything(), pets.refresh()])
    const { fixture = '', pets: petCount } = store.state.health ?? {}
    store.set({ fixture, petCount })
  }

  const readers: Readonly<Record<string, (data: string) => void>> = {
    pet: (data) => pets.push({ pet: parseJson(data) }),
    'pet-removed': (data) => pets.push({ removed: parseJson<{ petId: string }>(data).petId }),
    exchange: (data) => journal.push({ exchange: parseJson(data), seenAt: Date.now() }),
    'journal-cleared': () => journal.push('cleared'),
    faults: (data) => faults.push(parseJson(data)),
    delay: (data) => delay.push(parseJson(data)),
    state(data) {
      const { fixture, pets: petCount } = parseJson<{ fixture: string; pets: number }>(data)
      store.set({ fixture, petCount })
      pets.refresh().catch(() => {})
    },
  }

  function read(events: readonly ServerEvent[]): void {
    for (const { type, data } of events) readers[type]?.(data)
  }

  void followEvents({
    open: control.openEvents,
    onOpen: () =>
      void askEverything().then(
        () => store.set({ connection: 'live' }),
        () => {},
      ),
    onEvents: read,
    onLost: () => store.set({ connection: 'lost' }),
    onRefused(status) {
      store.set({ connection: 'refused', refusal: status })
      void askWithoutStream().catch(() => {})
    },
    onLocked: () => store.set({ connection: 'locked' }),
    signal,
  })
}

import type { QueryOf } from '../../control/contract.ts'
import type { Control } from '../api/control.ts'
import { followEvents, type ServerEvent } from '../api/events.ts'
import { parseJson } from '../api/json.ts'
import type { Delay, Exchange, Fault } from '../api/model.ts'
import { DEFAULT_API_KEY } from '../api/sandbox-key.ts'
import type { ConsoleState, Store } from './console-state.ts'
import {
  addToJournal,
  addToTraffic,
  JOURNAL_LENGTH,
  NO_TRAFFIC,
  TRAFFIC_SECONDS,
  type Traffic,
  toNewestFirst,
  toTraffic,
} from './journal.ts'
import { applyPetEvent, createPetList, type PetEvent } from './pets.ts'

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

/** The maximum number of exchanges counted for the last minute. */
const MOST_COUNTED = 100_000

/** Loads the latest exchanges, oldest first, and the traffic of the last minute, which may include more exchanges. */
export async function loadJournal(
  control: Pick<Control, 'ask'>,
): Promise<{ readonly entries: readonly Exchange[]; readonly traffic: Traffic }> {
  const load = (query: QueryOf<'GET /journal'>) => control.ask('GET /journal', { query })
  const latest = await load({ limit: String(JOURNAL_LENGTH) })
  const oldest = latest.entries[0]
  if (latest.entries.length < JOURNAL_LENGTH || oldest === undefined || isBeforeLastMinute(oldest)) {
    return { entries: latest.entries, traffic: toTraffic(latest.entries, { isWhole: latest.dropped === 0 }) }
  }
  const older = await load({ before: String(oldest.id), limit: String(MOST_COUNTED), bodies: 'none' })
  const isWhole = older.dropped === 0 && older.entries.length < MOST_COUNTED
  return { entries: latest.entries, traffic: toTraffic([...older.entries, ...latest.entries], { isWhole }) }
}

function isBeforeLastMinute({ time }: Exchange): boolean {
  return Date.parse(time) < Date.now() - TRAFFIC_SECONDS * 1000
}

/** A copy of state in the mock, updated by events. */
interface Replica<Event> {
  /** Reloads everything. Throws if that fails; events are still applied. */
  refresh(): Promise<void>
  /** Applies an event. During a reload, the event is also queued and applied again to the loaded state. */
  push(event: Event): void
}

/**
 * An event that arrives during a reload may be older or newer than the loaded state. Events carry new values, not
 * differences, so applying them again in order is correct in both cases.
 */
export function createReplica<Whole, Event>(options: {
  readonly load: () => Promise<Whole>
  readonly begin: (whole: Whole) => void
  readonly apply: (event: Event) => void
}): Replica<Event> {
  const { load, begin, apply } = options
  let kept: Event[] | undefined
  return {
    async refresh() {
      const mine: Event[] = []
      kept = mine
      try {
        const whole = await load()
        // A newer refresh has started meanwhile.
        if (kept !== mine) return
        begin(whole)
        for (const event of mine) apply(event)
      } finally {
        if (kept === mine) kept = undefined
      }
    },
    push(event) {
      kept?.push(event)
      apply(event)
    },
  }
}

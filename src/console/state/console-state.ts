import type { ResponseOf } from '../../control/contract.ts'
import type { Delay, Fault, JournalEntry, Latency, Received } from '../api/model.ts'
import type { PetList } from './pets.ts'

/** The connection to the mock. `locked`: the mock requires a control token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

/** Everything the views show. */
export interface ConsoleState {
  readonly connection: Connection
  readonly sandbox: string
  /** As typed. */
  readonly apiKey: string
  /** Whether the service rejected the key since it was typed. */
  readonly isKeyRefused: boolean
  readonly token: string
  readonly health: Received<ResponseOf<'GET /health'>> | undefined
  /** The base path of the service. */
  readonly basePath: string
  /** The fixture that the current state comes from. */
  readonly fixture: string
  readonly pets: PetList
  /** Counts the changes of the stock, whoever makes them. After an interruption, it is larger by more than one. */
  readonly changes: number
  /** Whether everything is loaded. Until then, the views show no values. */
  readonly isReady: boolean
  readonly requests: RequestList
  /** What is searched in the journal, as typed. */
  readonly find: string
  /** The maximum number of requests in the list. */
  readonly listLength: number
  /** Whether the list stays as it is while requests arrive, as it does while one is open. */
  readonly isPaused: boolean
  /** The id of the request whose details are shown. */
  readonly opened: number | undefined
  readonly faults: readonly Fault[]
  /** What the form for a new fault starts with; `undefined` while it is not shown. */
  readonly draft: Partial<FaultFields> | undefined
  readonly delay: Delay
  readonly fixtures: Received<ResponseOf<'GET /fixtures'>>
  readonly sandboxes: Received<ResponseOf<'GET /sandboxes'>>
  /** The last action, as a sentence, which screen readers announce. */
  readonly notice: Notice | undefined
}

/** The fields of the form for a new fault, as typed. */
export type FaultFields = Readonly<Record<'times' | 'target' | 'petId' | 'effect' | 'delay', string>>

/** What the list of requests shows. */
export interface RequestList {
  /** What was searched; `undefined` if the list is to be loaded anew, also while it is held. */
  readonly find: string | undefined
  /** The newest matching requests, newest first. Their bodies are empty, except those of errors. */
  readonly entries: readonly JournalEntry[]
  /** The number of all matching requests. */
  readonly count: number
  /** The number of newer matching requests, while the list is held. */
  readonly newer: number
  /** The number of requests in the whole journal that match the search, by outcome. */
  readonly totals: readonly number[]
  /** The number of older requests that the journal dropped. */
  readonly dropped: number
}

export interface Notice {
  readonly text: string
  readonly isError: boolean
  /** Takes the action back, until `changes` exceeds `lastChange`. */
  readonly undo?: { readonly run: () => Promise<unknown>; readonly lastChange: number } | undefined
}

/** The latency: of the switch, set with `--delay`, or by another client. */
export function toLatency({ delay, health }: Pick<ConsoleState, 'delay' | 'health'>): Latency {
  return delay ?? health?.delay ?? 0
}

/** The number of active faults. The latency is one of them. */
export function countFaults(state: Pick<ConsoleState, 'faults' | 'delay' | 'health'>): number {
  return state.faults.length + (toLatency(state) === 0 ? 0 : 1)
}

/** Changes are batched for this long before the views are notified, in milliseconds; too short to notice. */
const GATHER_MS = 30

/** Observable state. */
export type Store<State> = ReturnType<typeof createStore<State>>

export function createStore<State>(initial: State) {
  const listeners = new Set<() => void>()
  let state = initial
  let isTold = true
  const tell = (): void => {
    isTold = true
    for (const listener of listeners) listener()
  }
  return {
    get state(): State {
      return state
    },
    /** Replaces the given properties. */
    set(change: Partial<State>): void {
      state = { ...state, ...change }
      if (isTold) setTimeout(tell, GATHER_MS)
      isTold = false
    },
    /** Calls `listener` after each batch of changes. Returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

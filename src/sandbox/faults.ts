import type { HeaderFields } from '../http/wire-response.ts'
import type { Random } from '../store/generate-fixture.ts'
import { createExplainer, type SelectedRequest } from './condition.ts'
import {
  type Fault,
  LET_THROUGH,
  type ParsedFault,
  parseFault,
  type RateLimit,
  toFault,
  toFaultError,
} from './fault.ts'

/** A fault that was added. */
export interface ActiveFault extends Fault {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /** How many requests the fault affected. */
  readonly used: number
}

/** The faults of one sandbox. If several faults match a request, only the one added first is triggered. */
export interface FaultControls {
  /**
   * Adds a fault. A sandbox has at most 100 faults, each with texts of up to 64 KB.
   * @throws {MockError} `INVALID_FAULT` naming the problem.
   */
  add(fault: Fault): ActiveFault
  /** The faults that can still be triggered. */
  list(): ActiveFault[]
  /** Removes a fault. Returns false if there is no such fault. */
  remove(id: number): boolean
  /** Removes all faults of the sandbox. */
  clear(): void
}

export type MatchedFault = ParsedFault & Pick<ActiveFault, 'id'>

/** The effect of a sandbox's faults on a request. */
export interface FaultEffect {
  readonly fault?: MatchedFault | undefined
  /** The headers of a rate limit. They are added to every response, also if the request is within the limit. */
  readonly headers?: HeaderFields | undefined
}

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  /** How many requests matched, for `after` and `every`. */
  seen: number
  /** How many of them it took, for `times` and the place in a sequence. */
  turns: number
  /** How many of those it affected: all but the ones that a 200 in a sequence let through. */
  used: number
  readonly window: RateWindow | undefined
  readonly explainMismatch: (request: SelectedRequest) => string[]
}

export const MOST_FAULTS = 100
/** In characters of JSON. */
const LONGEST_FAULT = 65_536

export class SandboxFaults implements FaultControls {
  /** Called when a fault is added, triggered or removed. */
  readonly #notify: () => void
  #entries: readonly Entry[] = []
  #lastId = 0

  constructor(notify: () => void) {
    this.#notify = notify
  }

  readonly add = (given: Fault): ActiveFault => {
    const fault = parseFault(given)
    if (this.#entries.length >= MOST_FAULTS)
      throw toFaultError(`the sandbox already has ${MOST_FAULTS} faults, the maximum`)
    if (JSON.stringify(fault).length > LONGEST_FAULT)
      throw toFaultError(`it is longer than ${LONGEST_FAULT} characters. Send a larger body with a handler`)
    const window = fault.rateLimit && createRateWindow(fault.rateLimit)
    this.#lastId += 1
    const counts = { used: 0, seen: 0, turns: 0 }
    const entry = { id: this.#lastId, fault, window, explainMismatch: createExplainer(fault), ...counts }
    this.#entries = [...this.#entries, entry]
    this.#notify()
    return toActiveFault(entry)
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  readonly list = (): ActiveFault[] => {
    return this.#entries.map(toActiveFault)
  }

  readonly remove = (id: number): boolean => {
    const isThere = this.#entries.some((entry) => entry.id === id)
    this.#entries = this.#entries.filter((entry) => entry.id !== id)
    if (isThere) this.#notify()
    return isThere
  }

  readonly clear = (): void => {
    this.#entries = []
    this.#notify()
  }

  /**
   * Counts the request, and returns the fault that it triggers; `undefined` if no fault affects it.
   * @param now Milliseconds of the mock's clock.
   */
  take(request: SelectedRequest & { readonly now: number }, random: Random): FaultEffect | undefined {
    let headers: FaultEffect['headers']
    for (const entry of this.#entries) {
      if (entry.explainMismatch(request).length > 0 || !isDue(entry, random)) continue
      const limit = entry.window?.(request.now)
      if (limit?.isOver === false) {
        // Within the limit, the request goes on.
        headers ??= limit.headers
        continue
      }
      const fault = toMatchedFault(entry, limit)
      entry.turns += 1
      if (fault !== undefined) entry.used += 1
      this.#entries = this.#entries.filter((each) => !isUsedUp(each))
      this.#notify()
      // A rejection has the headers of the limit that caused it.
      return { fault, headers: limit?.headers ?? headers }
    }
    return headers && { headers }
  }
}

/** Counts the request, and decides by `after`, `every` and `probability` whether it triggers the fault. */
function isDue(entry: Entry, random: Random): boolean {
  const { after = 0, every = 1, probability } = entry.fault
  entry.seen += 1
  if (entry.seen <= after || (entry.seen - after) % every !== 0) return false
  return probability === undefined || random() < probability
}

/** @returns `undefined` if a sequence lets the request through. */
function toMatchedFault({ id, fault, turns }: Entry, limit?: ReturnType<RateWindow>): MatchedFault | undefined {
  const { statuses, status } = fault
  if (limit !== undefined) return { ...fault, id, status: status ?? 429, retryAfter: limit.retryAfter }
  const next = statuses?.[turns % statuses.length]
  if (next === LET_THROUGH) return undefined
  return { ...fault, id, ...(next !== undefined && { status: next }) }
}

/** By its turns: a 200 in a sequence is a turn that affects no request. */
function isUsedUp({ turns, fault: { statuses, times } }: Entry): boolean {
  return turns === (statuses === undefined ? times : statuses.length * (times ?? 1))
}

function toActiveFault({ id, fault, used }: Entry): ActiveFault {
  return { ...toFault(fault), id, used }
}

/** Counts a request at a time in milliseconds. */
type RateWindow = (now: number) => {
  /** Whether the request exceeds the limit. */
  readonly isOver: boolean
  /** The seconds until the next window. */
  readonly retryAfter: number
  readonly headers: HeaderFields
}

/**
 * Counts requests in fixed windows, each of which starts with its first request. The headers follow the widely used
 * draft 6 of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */
function createRateWindow({ requests, window }: RateLimit): RateWindow {
  let end = Number.NEGATIVE_INFINITY
  let used = 0
  return (now) => {
    // The clock goes back when it returns from virtual to real time.
    if (now >= end || now < end - window) {
      end = now + window
      used = 0
    }
    used += 1
    const retryAfter = Math.ceil((end - now) / 1000)
    const headers = {
      'ratelimit-policy': `${requests};w=${Math.ceil(window / 1000)}`,
      'ratelimit-limit': String(requests),
      'ratelimit-remaining': String(Math.max(0, requests - used)),
      'ratelimit-reset': String(retryAfter),
    }
    return { isOver: used > requests, retryAfter, headers }
  }
}

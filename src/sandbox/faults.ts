import type { Budget } from '../http/bytes.ts'
import type { Random } from '../store/generate-fixture.ts'
import { createMatcher, type SelectedRequest } from './condition.ts'
import { type Fault, type ParsedFault, parseFault, toFault, toFaultError } from './fault.ts'

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
   * Adds a fault. A sandbox has at most 1,000 faults.
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

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  readonly bytes: number
  used: number
  seen: number
  readonly explain: (request: SelectedRequest) => string[]
}

export const MOST_FAULTS = 1000
/** The memory limit that the faults of all sandboxes share, in bytes. */
export const FAULTS_LIMIT: number = 32 * 1024 ** 2
/** At least the size of a fault without its texts, in bytes. */
const FAULT_BYTES = 1536
const BYTES_PER_CHARACTER = 2

export class SandboxFaults implements FaultControls {
  /** Called when a fault is added, triggered or removed. */
  readonly #notify: () => void
  /** Shared by all sandboxes. */
  readonly #budget: Budget
  #entries: readonly Entry[] = []
  #lastId = 0

  constructor({ notify, budget }: { notify: () => void; budget: Budget }) {
    this.#notify = notify
    this.#budget = budget
  }

  readonly add = (given: Fault): ActiveFault => {
    const fault = parseFault(given)
    const bytes = FAULT_BYTES + BYTES_PER_CHARACTER * JSON.stringify(fault).length
    if (this.#entries.length >= MOST_FAULTS)
      throw toFaultError(`the sandbox already has ${MOST_FAULTS} faults, the maximum`)
    if (!this.#budget.take(bytes))
      throw toFaultError(`the faults of all sandboxes would hold more than ${this.#budget.limit} bytes`)
    this.#lastId += 1
    const entry = { id: this.#lastId, fault, bytes, used: 0, seen: 0, explain: createMatcher(fault) }
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
    if (!this.#entries.some((entry) => entry.id === id)) return false
    this.#drop((entry) => entry.id === id)
    this.#notify()
    return true
  }

  readonly clear = (): void => {
    this.close()
    this.#notify()
  }

  /** Drops all faults without an event. Call it when the sandbox is removed. */
  close(): void {
    this.#drop(() => true)
  }

  /** Counts the request, and returns the fault that it triggers; `undefined` if no fault affects it. */
  take(request: SelectedRequest, random: Random): MatchedFault | undefined {
    const entry = this.#entries.find((each) => each.explain(request).length === 0 && isDue(each, random))
    if (entry === undefined) return undefined
    entry.used += 1
    if (entry.used === entry.fault.times) this.#drop((each) => each === entry)
    this.#notify()
    return { ...entry.fault, id: entry.id }
  }

  #drop(isDropped: (entry: Entry) => boolean): void {
    for (const { bytes } of this.#entries.filter(isDropped)) this.#budget.give(bytes)
    this.#entries = this.#entries.filter((entry) => !isDropped(entry))
  }
}

/** Counts the request, and decides by `after`, `every` and `probability` whether it triggers the fault. */
function isDue(entry: Entry, random: Random): boolean {
  const { after = 0, every = 1, probability } = entry.fault
  entry.seen += 1
  if (entry.seen <= after || (entry.seen - after) % every !== 0) return false
  return probability === undefined || random() < probability
}

function toActiveFault({ id, fault, used }: Entry): ActiveFault {
  return { ...toFault(fault), id, used }
}

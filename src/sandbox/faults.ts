import type { ByteBudget } from '../http/byte-budget.ts'
import { toPetId } from '../inventory/pet-id.ts'
import type { Random } from '../store/random.ts'
import { type Fault, type ParsedFault, parseFault, toFaultError } from './fault.ts'

/** A fault that was added. */
export interface ActiveFault extends Fault {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /** How many times the fault was triggered. */
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
  clear(): void
}

/** A fault that a request has triggered. */
export interface MatchedFault extends ParsedFault {
  readonly id: number
}

/** The faults as the service uses them internally. */
export interface FaultsInternals extends FaultControls {
  /** Like `list()`, with each body as its JSON text. */
  listTexts(): ActiveFault[]
  /** Drops all faults without an event. Call it when the sandbox is removed. */
  close(): void
  /** Returns the fault that the request triggers, if any, and counts it. */
  take(request: { operation: string; petId: string | undefined }, random: Random): MatchedFault | undefined
}

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  /** In bytes. */
  readonly weight: number
  used: number
}

/** The maximum number of faults in a sandbox. */
export const MOST_FAULTS = 1000
/** The memory limit that the faults of all sandboxes share, in bytes. */
export const FAULTS_LIMIT: number = 32 * 1024 ** 2
/** The size of a fault without its body, in bytes. */
const FAULT_BYTES = 512
const BYTES_PER_CHARACTER = 2

export interface FaultsOptions {
  /** Called when a fault is added, triggered or removed. */
  readonly notify: () => void
  /** Shared by all sandboxes. */
  readonly budget: ByteBudget
}

export function createFaults(options: FaultsOptions): FaultsInternals {
  return new FaultList(options)
}

class FaultList implements FaultsInternals {
  readonly #notify: () => void
  readonly #budget: ByteBudget
  #entries: readonly Entry[] = []
  #lastId = 0

  constructor({ notify, budget }: FaultsOptions) {
    this.#notify = notify
    this.#budget = budget
  }

  add(given: Fault): ActiveFault {
    const fault = parseFault(given)
    const weight = FAULT_BYTES + BYTES_PER_CHARACTER * (fault.bodyText?.source.length ?? 0)
    if (this.#entries.length >= MOST_FAULTS)
      throw toFaultError(`the sandbox already has ${MOST_FAULTS} faults, the maximum`)
    if (!this.#budget.take(weight))
      throw toFaultError(`the faults of all sandboxes would hold more than ${this.#budget.limit} bytes`)
    const entry = { id: this.#lastId + 1, fault, weight, used: 0 }
    this.#lastId = entry.id
    this.#keep([...this.#entries, entry])
    return toActiveFault(entry)
  }

  list(): ActiveFault[] {
    return this.#entries.map(toActiveFault)
  }

  listTexts(): ActiveFault[] {
    return this.#entries.map((entry) => {
      const { bodyText } = entry.fault
      return { ...toActiveFault(entry), ...(bodyText !== undefined && { body: bodyText }) }
    })
  }

  remove(id: number): boolean {
    const rest = this.#entries.filter((entry) => entry.id !== id)
    if (rest.length === this.#entries.length) return false
    this.#keep(rest)
    return true
  }

  clear(): void {
    this.#keep([])
  }

  close(): void {
    this.#release([])
  }

  take(
    { operation, petId }: { operation: string; petId: string | undefined },
    random: Random,
  ): MatchedFault | undefined {
    if (this.#entries.length === 0) return undefined
    const entry = this.#entries.find(
      ({ fault }) =>
        (fault.operation ?? operation) === operation &&
        (fault.petId === undefined || fault.petId === petId) &&
        (fault.probability === undefined || random() < fault.probability),
    )
    if (entry === undefined) return undefined
    entry.used += 1
    this.#keep(this.#entries.filter(({ used, fault }) => used !== fault.times))
    return { ...entry.fault, id: entry.id }
  }

  #keep(entries: readonly Entry[]): void {
    this.#release(entries)
    this.#notify()
  }

  /** Returns the bytes of the dropped entries to the budget. */
  #release(kept: readonly Entry[]): void {
    if (kept.length < this.#entries.length) this.#budget.give(weigh(this.#entries) - weigh(kept))
    this.#entries = kept
  }
}

function weigh(entries: readonly Entry[]): number {
  return entries.reduce((sum, { weight }) => sum + weight, 0)
}

function toActiveFault({ id, fault: { petId, bodyText: _, ...fault }, used }: Entry): ActiveFault {
  return { ...(petId !== undefined && { petId: toPetId(petId) }), ...fault, id, used }
}

import type { ByteBudget } from '../http/byte-budget.ts'
import { toPetId } from '../inventory/pet-id.ts'
import type { Random } from '../store/random.ts'
import { type Fault, type ParsedFault, parseFault, toFaultError } from './fault.ts'

/** A fault that was added. */
export interface ActiveFault extends Fault {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /** How many times it struck. */
  readonly used: number
}

/** The faults of one sandbox. Of those that fit a request the one added first strikes. */
export interface FaultControls {
  /** @throws {MockError} `INVALID_FAULT` naming what is wrong; a sandbox has 1,000 faults at most. */
  add(fault: Fault): ActiveFault
  /** Those that can still strike. */
  list(): ActiveFault[]
  /** Takes one back; says whether it was there. */
  remove(id: number): boolean
  clear(): void
}

/** A fault that strikes. */
export interface MatchedFault extends ParsedFault {
  readonly id: number
}

/** The faults with what the service needs of them. */
export interface FaultsInternals extends FaultControls {
  /** As `list()`, with each body as the text that is sent. */
  listTexts(): ActiveFault[]
  /** Drops all, for good and without a word: the sandbox is forgotten. */
  close(): void
  /** The fault that strikes this request, if one does; it is counted. */
  take(request: { operation: string; petId: string | undefined }, random: Random): MatchedFault | undefined
}

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  /** In bytes. */
  readonly weight: number
  used: number
}

/** How many faults a sandbox has at most. */
export const MOST_FAULTS = 1000
/** What the faults of all sandboxes may hold together, in bytes. */
export const FAULTS_LIMIT: number = 32 * 1024 ** 2
/** A fault without its body, in bytes. */
const FAULT_BYTES = 512
const BYTES_PER_CHARACTER = 2

export interface FaultsOptions {
  /** Told when a fault is added, strikes or goes. */
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
    if (this.#entries.length >= MOST_FAULTS) throw toFaultError(`the sandbox has ${MOST_FAULTS}, which is the most`)
    if (!this.#budget.take(weight))
      throw toFaultError(`with this one the faults of all sandboxes would hold more than ${this.#budget.limit} bytes`)
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

  /** Gives back what the entries took that are not kept. */
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

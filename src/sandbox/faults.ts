import { toPetId } from '../inventory/pet-id.ts'
import type { Random } from '../store/random.ts'
import { type Fault, type ParsedFault, parseFault } from './fault.ts'

/** A fault that was added. */
export interface ActiveFault extends Fault {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /** How many times it struck. */
  readonly used: number
}

/** The faults of one sandbox. Of those that fit a request the one added first strikes. */
export interface FaultControls {
  /** @throws {MockError} `INVALID_FAULT` naming what is wrong. */
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
  /** The fault that strikes this request, if one does; it is counted. */
  take(request: { operation: string; petId: string | undefined }, random: Random): MatchedFault | undefined
}

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  used: number
}

/** @param notify Told when a fault is added, strikes or goes. */
export function createFaults(notify: () => void): FaultsInternals {
  return new FaultList(notify)
}

class FaultList implements FaultsInternals {
  readonly #notify: () => void
  #entries: readonly Entry[] = []
  #lastId = 0

  constructor(notify: () => void) {
    this.#notify = notify
  }

  add(given: Fault): ActiveFault {
    const entry = { id: this.#lastId + 1, fault: parseFault(given), used: 0 }
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
    this.#entries = entries
    this.#notify()
  }
}

function toActiveFault({ id, fault: { petId, bodyText: _, ...fault }, used }: Entry): ActiveFault {
  return { ...(petId !== undefined && { petId: toPetId(petId) }), ...fault, id, used }
}

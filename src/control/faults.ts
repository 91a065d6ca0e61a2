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
export interface Strike extends ParsedFault {
  readonly id: number
}

/** The faults with what the service needs of them. */
export interface FaultRoom extends FaultControls {
  /** The fault that strikes this request, if one does; it is counted. */
  take(request: { operation: string; petId: string | undefined }, random: Random): Strike | undefined
}

interface Entry {
  readonly id: number
  readonly fault: ParsedFault
  used: number
}

/** @param notify Told when a fault is added, strikes or goes. */
export function createFaults(notify: () => void): FaultRoom {
  let entries: Entry[] = []
  let lastId = 0

  const strikes = ({ fault }: Entry, random: Random): boolean =>
    fault.probability === undefined || random() < fault.probability

  return {
    add(given) {
      lastId += 1
      const entry = { id: lastId, fault: parseFault(given), used: 0 }
      entries = [...entries, entry]
      notify()
      return toActiveFault(entry)
    },
    list: () => entries.map(toActiveFault),
    remove(id) {
      const before = entries.length
      entries = entries.filter((entry) => entry.id !== id)
      if (entries.length === before) return false
      notify()
      return true
    },
    clear() {
      entries = []
      notify()
    },
    take({ operation, petId }, random) {
      if (entries.length === 0) return undefined
      const entry = entries.find(
        (candidate) =>
          (candidate.fault.operation ?? operation) === operation &&
          (candidate.fault.petId === undefined || candidate.fault.petId === petId) &&
          strikes(candidate, random),
      )
      if (entry === undefined) return undefined
      entry.used += 1
      if (entry.used === entry.fault.times) entries = entries.filter((other) => other !== entry)
      notify()
      return { ...entry.fault, id: entry.id }
    },
  }
}

function toActiveFault({ id, fault: { petId, ...fault }, used }: Entry): ActiveFault {
  return { ...fault, ...(petId !== undefined && { petId: toPetId(petId) }), id, used }
}

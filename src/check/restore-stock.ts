import { NoAnswer } from './conformance/ask.ts'
import type { CheckSession } from './conformance/check-session.ts'
import type { ConformanceCase } from './conformance/conformance-case.ts'
import { type ListedPet, parsePets } from './conformance/listed-pet.ts'
import { Stock } from './conformance/stock.ts'

/** What to restore. */
interface RestoringOptions {
  /** The ids of the pets whose stock may have changed. */
  readonly petIds: readonly string[]
  /** Ids that are not in the list, but update a pet of it: the other pet's id by the id. */
  readonly aliases?: ReadonlyMap<string, string>
  /** The last list, by id. */
  readonly before?: ReadonlyMap<string, ListedPet>
  /**
   * Whether updates change other pets, too.
   * @default false
   */
  readonly hasSideEffects?: boolean
  /** Whether an update may still be applied, because the service sent no complete response to it. */
  readonly isUnconfirmed: boolean
  /** How long to wait for such an update, in milliseconds. */
  readonly patienceMs: number
}

/** How often to try. A service that loses updates, or changes other pets beside, needs more than one attempt. */
const ATTEMPTS = 8

/** The last case of every check that sends updates: restores the stock and verifies it. */
export function defineRestoring({ isUnconfirmed, patienceMs, ...options }: RestoringOptions): ConformanceCase {
  return {
    operation: 'updateInventory',
    title: 'the stock is as it was before the check',
    source: 'specification',
    expected: 200,
    findObstacle: () => undefined,
    async run(session) {
      let outcome = await restore(session, options)
      if (isUnconfirmed) {
        await new Promise((resolve) => setTimeout(resolve, patienceMs))
        if (compare(session, await session.list()) !== undefined) outcome = await restore(session, options)
      }
      const { status, difference } = outcome
      return { status, deviation: undefined, faults: difference === undefined ? [] : [difference] }
    },
  }
}

interface Outcome {
  /** Of an update that was rejected, or 200. */
  readonly status: number
  /** What is not as it was, as a sentence. */
  readonly difference: string | undefined
}

/**
 * Sends the original quantities until the list shows them.
 * @throws {NoAnswer} the first one of the last attempt, after the other pets were restored.
 */
async function restore(
  session: CheckSession,
  {
    petIds,
    aliases,
    before = new Map(),
    hasSideEffects = false,
  }: Omit<RestoringOptions, 'isUnconfirmed' | 'patienceMs'>,
): Promise<Outcome> {
  const restorable = new Set(petIds)
  const adding = new Set<string>()
  let due = session.pets.filter(({ petId }) => restorable.has(petId))
  for (let left = ATTEMPTS; ; left -= 1) {
    const { status, errors } = await send(session, { due, before, adding, aliases })
    const list = await session.list().catch((error: unknown) => void errors.push(toNoAnswer(error)))
    const difference = compare(session, list)
    const isOver = difference === undefined || left === 1 || errors.some(({ isTimeout }) => isTimeout)
    if (isOver && difference !== undefined && errors[0] !== undefined) throw errors[0]
    if (isOver) return { status, difference }
    const shown = toMap(list)
    for (const { petId, quantity } of due) {
      if (isSum(shown.get(petId)?.quantity, [before.get(petId)?.quantity, quantity])) adding.add(petId)
    }
    for (const { petId } of hasSideEffects ? session.pets : []) {
      if (session.changeable.has(petId) && isChanged(before.get(petId), shown.get(petId))) restorable.add(petId)
    }
    due = session.pets.filter((pet) => restorable.has(pet.petId) && isChanged(pet, shown.get(pet.petId)))
    if (shown.size > 0) before = shown
  }
}

interface Attempt {
  readonly due: readonly ListedPet[]
  readonly before: ReadonlyMap<string, ListedPet>
  /** The pets whose quantity is added up instead of set. */
  readonly adding: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, string> | undefined
}

/** Sends one update for each pet that is due, whatever becomes of the others. */
async function send(
  session: CheckSession,
  { due, before, adding, aliases }: Attempt,
): Promise<{ readonly status: number; readonly errors: NoAnswer[] }> {
  let status = 200
  const errors: NoAnswer[] = []
  for (const pet of due) {
    const shown = before.get(pet.petId)
    const isAdding = adding.has(pet.petId) && shown !== undefined
    const quantity = isAdding ? BigInt(pet.quantity) - BigInt(shown.quantity) : pet.quantity
    // Only a service that takes a status from the body can have changed it in a way that an update undoes.
    const isOther = shown !== undefined && shown.status !== pet.status
    const body = `{"quantity":${quantity}${isOther ? `,"status":${JSON.stringify(pet.status)}` : ''}}`
    for (const petId of [pet.petId, aliases?.get(pet.petId)]) {
      if (petId === undefined) continue
      try {
        const response = await session.send({ operation: 'updateInventory', petId, body })
        if (response.status !== 200) status = response.status
      } catch (error) {
        errors.push(toNoAnswer(error))
      }
    }
  }
  return { status, errors }
}

function toNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error
  throw error
}

function compare(session: CheckSession, list: unknown): string | undefined {
  return new Stock(session.pets).compare(list)
}

function isChanged(before: ListedPet | undefined, after: ListedPet | undefined): boolean {
  if (before === undefined || after === undefined) return false
  return before.quantity !== after.quantity || before.status !== after.status
}

/** Whether a quantity other than the one sent is the sum of it and the one before. */
function isSum(shown: string | undefined, [before, sent]: readonly [string | undefined, string]): boolean {
  return (
    shown !== undefined && before !== undefined && shown !== sent && BigInt(shown) === BigInt(before) + BigInt(sent)
  )
}

function toMap(list: unknown): ReadonlyMap<string, ListedPet> {
  return new Map(parsePets(list)?.map((pet) => [pet.petId, pet]))
}

import type { CheckSession } from './conformance/check-session.ts'
import type { ConformanceCase } from './conformance/conformance-case.ts'
import { Stock } from './conformance/stock.ts'

/** What to restore. */
export interface RestoringOptions {
  /** The ids of the updated pets. */
  readonly petIds: readonly string[]
  /** Whether an update may still be applied, because the service sent no complete response to it. */
  readonly isUnconfirmed: boolean
  /** How long to wait for such an update, in milliseconds. */
  readonly patienceMs: number
}

/** The last case of every check that sends updates: restores the stock and verifies it. */
export function defineRestoring({ petIds, isUnconfirmed, patienceMs }: RestoringOptions): ConformanceCase {
  return {
    operation: 'updateInventory',
    title: 'the stock is as it was before the check',
    source: 'specification',
    expected: 200,
    findObstacle: () => undefined,
    async run(session) {
      let status = await restore(petIds, session)
      let difference = await findDifference(session)
      if (isUnconfirmed) {
        await new Promise((resolve) => setTimeout(resolve, patienceMs))
        difference = await findDifference(session)
        if (difference !== undefined) {
          status = await restore(petIds, session)
          difference = await findDifference(session)
        }
      }
      return { status, deviation: undefined, faults: difference === undefined ? [] : [difference] }
    },
  }
}

/**
 * Returns the status of an update that was rejected, or 200.
 * @throws {NoAnswer} the first one, after the other pets were restored.
 */
async function restore(petIds: readonly string[], session: CheckSession): Promise<number> {
  let status = 200
  const errors: unknown[] = []
  for (const { petId, quantity } of session.pets.filter((pet) => petIds.includes(pet.petId))) {
    try {
      const response = await session.send({ operation: 'updateInventory', petId, body: `{"quantity":${quantity}}` })
      if (response.status !== 200) status = response.status
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return status
}

async function findDifference(session: CheckSession): Promise<string | undefined> {
  return new Stock(session.pets).compare(await session.list())
}

import type { ConformanceCase } from './conformance-case.ts'
import { explain, noteSideEffects, READ_ONLY } from './define-update.ts'
import type { ListedPet } from './listed-pet.ts'

/** A service that reads, waits and writes back its whole stock loses one of two updates. */
export const concurrentUpdates: ConformanceCase = {
  operation: 'updateInventory',
  title: 'two updates at once are both listed',
  source: 'specification',
  expected: 200,
  findObstacle(session) {
    if (!session.mayWrite) return READ_ONLY
    return session.otherPet === undefined ? explain('there is no second pet', session) : undefined
  },
  async run(session) {
    const pets = [session.pet, session.otherPet] as ListedPet[]
    // Waits for both even if one fails: no update may be in flight when the stock is restored.
    const settled = await Promise.allSettled(
      pets.map(async ({ petId }) => {
        const quantity = session.nextQuantity()
        const { status } = await session.send({
          operation: 'updateInventory',
          petId,
          body: JSON.stringify({ quantity }),
        })
        if (status === 200) session.stock.update(petId, String(quantity))
        return status
      }),
    )
    const statuses = settled.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
    const difference = session.stock.compare(await session.list(), { updated: pets.map(({ petId }) => petId) })
    noteSideEffects(session)
    const status = statuses.find((each) => each !== 200) ?? 200
    return {
      status,
      deviation: status === 200 ? undefined : `The status is ${status} and should be 200`,
      faults: difference === undefined ? [] : [difference],
    }
  },
}

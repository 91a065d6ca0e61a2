import type { CheckSession } from './check-session.ts'
import { listChosen } from './choose-pets.ts'
import type { CaseOutcome, ConformanceCase } from './conformance-case.ts'
import { READ_ONLY, update } from './define-update.ts'
import type { ListedPet } from './listed-pet.ts'
import { listRanges } from './quantities.ts'

const UPDATE = { operation: 'updateInventory', expected: 200 } as const

const findObstacle: ConformanceCase['findObstacle'] = ({ mayWrite, pet, petlessReason }) => {
  if (!mayWrite) return READ_ONLY
  return pet === undefined ? petlessReason : undefined
}

/** How many pets may be refused their own quantity, before no other pet is tried. */
const MOST_REFUSED = 20

/**
 * Sends each chosen pet the quantity that it has. The stock of a pet whose quantity is refused could not be restored, so
 * that other pets are chosen instead: a service may accept no 0, but list a pet that is sold out.
 */
export const keepsQuantities: ConformanceCase = {
  ...UPDATE,
  title: 'the quantity that a pet has is 200',
  source: 'decision',
  findObstacle,
  async run(session) {
    const outcomes: CaseOutcome[] = []
    const accepted = new Set<ListedPet>()
    const refused = new Set<ListedPet>()
    const isChangeable = ({ petId }: ListedPet): boolean => session.changeable.has(petId)
    for (let due = listChosen(session); due.length > 0; ) {
      for (const pet of due) {
        const sent = { petId: pet.petId, body: `{"quantity":${pet.quantity}}` }
        const outcome = await update(session, { sent, expected: 200 })
        outcomes.push(outcome)
        if (outcome.status === 400) refused.add(pet)
        else accepted.add(pet)
      }
      const isOver = refused.size >= MOST_REFUSED
      due = session
        .choose(isOver ? [...accepted] : session.pets.filter((pet) => isChangeable(pet) && !refused.has(pet)))
        .filter((pet) => !accepted.has(pet))
    }
    const isHopeless = accepted.size === 0 && Array.from(refused).some(({ quantity }) => Number(quantity) > 0)
    const faults = outcomes.flatMap((each) => each.faults)
    const odd = outcomes.find(({ status }) => status !== 200 && (status !== 400 || isHopeless))
    const { status, deviation } = odd ?? outcomes.find((each) => each.status !== 200) ?? (outcomes[0] as CaseOutcome)
    return odd === undefined
      ? { status, deviation, faults }
      : { status, deviation: undefined, faults: [...toList(deviation), ...faults] }
  },
}

/** Finds a range of quantities that the service accepts, from which all other cases choose theirs. */
export const takesNewQuantity: ConformanceCase = {
  ...UPDATE,
  title: 'a new quantity is echoed and listed',
  source: 'specification',
  findObstacle,
  async run(session) {
    const { petId = '' } = session.pet ?? {}
    let outcome: CaseOutcome | undefined
    for (const [lowest, highest] of listRanges(session.pets)) {
      session.useQuantities(lowest, highest)
      outcome = await takesBoth(session, { petId, quantities: [highest, lowest] })
      if (outcome.status !== 400 || outcome.faults.length > 0) break
    }
    return outcome as CaseOutcome
  },
}

async function takesBoth(
  session: CheckSession,
  { petId, quantities: [first, second] }: { petId: string; quantities: readonly [number, number] },
): Promise<CaseOutcome> {
  const outcome = await update(session, { sent: { petId, body: `{"quantity":${first}}` }, expected: 200 })
  if (outcome.deviation !== undefined || outcome.faults.length > 0) return outcome
  return update(session, { sent: { petId, body: `{"quantity":${second}}` }, expected: 200 })
}

function toList(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

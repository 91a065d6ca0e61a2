import { setTimeout as sleep } from 'node:timers/promises'
import type { Run, RunOutcome } from './run.ts'
import { FIRST_QUANTITY, findEchoFault } from './run.ts'
import { type ListedPet, parsePet } from './stock.ts'
import { listChosen } from './survey.ts'

// The cases that need more than one request.

/** How many pets may be refused their own quantity, before no other pet is tried. */
const MOST_REFUSED = 20

/**
 * Sends each chosen pet the quantity that it has. The stock of a pet whose quantity is refused could not be restored, so
 * that other pets are chosen instead: a service may accept no 0, but list a pet that is sold out.
 */
export async function keepsQuantities(run: Run): Promise<RunOutcome> {
  const outcomes: RunOutcome[] = []
  const accepted = new Set<ListedPet>()
  const refused = new Set<ListedPet>()
  for (let due = listChosen(run); due.length > 0; ) {
    for (const pet of due) {
      const outcome = await run.update({ petId: pet.petId, body: `{"quantity":${pet.quantity}}` }, 200)
      outcomes.push(outcome)
      if (outcome.status === 400) refused.add(pet)
      else accepted.add(pet)
    }
    const isOver = refused.size >= MOST_REFUSED
    const others = run.pets.filter((pet) => run.changeable.has(pet.petId) && !refused.has(pet))
    due = run.choose(isOver ? [...accepted] : others).filter((pet) => !accepted.has(pet))
  }
  const isHopeless = accepted.size === 0 && Array.from(refused).some(({ quantity }) => Number(quantity) > 0)
  const faults = outcomes.flatMap((each) => each.faults)
  const odd = outcomes.find(({ status }) => status !== 200 && (status !== 400 || isHopeless))
  const { status, deviation } = odd ?? outcomes.find((each) => each.status !== 200) ?? (outcomes[0] as RunOutcome)
  if (odd === undefined || deviation === undefined) return { status, deviation, faults }
  return { status, deviation: undefined, faults: [deviation, ...faults] }
}

/** Finds a range of quantities that the service accepts, from which all other cases choose theirs. */
export async function takesNewQuantity(run: Run): Promise<RunOutcome> {
  let outcome: RunOutcome | undefined
  for (const [lowest, highest] of listRanges(run.pets)) {
    run.useQuantities(lowest, highest)
    outcome = await updateAll(run, [highest, lowest])
    if (outcome.status !== 400 || outcome.faults.length > 0) break
  }
  return outcome as RunOutcome
}

/** Ranges of quantities to try, because the specification shows none. The last one is that of the stock itself. */
function listRanges(pets: readonly ListedPet[]): readonly (readonly [number, number])[] {
  const inStock = pets.map(({ quantity }) => Number(quantity)).sort((one, other) => one - other)
  return [
    [FIRST_QUANTITY, 999],
    [53, 99],
    [11, 19],
    [3, 9],
    [1, 2],
    [inStock[0] ?? 0, inStock.at(-1) ?? 0],
  ]
}

/** Updates the first pet one time after another, with a list after each, until something is wrong. */
async function updateAll(run: Run, quantities: readonly number[]): Promise<RunOutcome> {
  let outcome: RunOutcome = { status: undefined, deviation: undefined, faults: [] }
  for (const quantity of quantities) {
    outcome = await run.update({ petId: run.pet?.petId ?? '', body: JSON.stringify({ quantity }) }, 200)
    if (outcome.deviation !== undefined || outcome.faults.length > 0) break
  }
  return outcome
}

/** How long to wait for a write to be undone, debounced or replayed, in milliseconds. */
export const LATE_MS = 700

/** A replayed response, a debounced write or a write that comes too late shows in a list after several updates. */
export async function updatesInARow(run: Run, pauseMs = 0): Promise<RunOutcome> {
  const { petId = '' } = run.pet ?? {}
  const [first, second] = [run.nextQuantity(), run.nextQuantity()]
  const faults: string[] = []
  let status = 200
  // The last one is the same request as the first.
  for (const quantity of [first, second, first]) {
    const response = await run.send({ operation: 'updateInventory', petId, body: JSON.stringify({ quantity }) })
    if (response.status !== 200) {
      status = response.status
      break
    }
    const fault = findEchoFault(response, { pet: run.stock.pets.get(petId), quantity: String(quantity) })
    if (fault !== undefined) faults.push(fault)
    run.stock.update(petId, String(quantity))
  }
  await sleep(pauseMs)
  return toOutcome(run, { status, faults, updated: [petId] })
}

/** A service that reads, waits and writes back its whole stock loses one of two updates, or swaps their responses. */
export async function updatesAtOnce(run: Run): Promise<RunOutcome> {
  const pets = [run.pet, run.otherPet] as ListedPet[]
  // Waits for all even if one fails: no update may be in flight when the stock is restored.
  const settled = await Promise.allSettled(
    pets.map(async ({ petId }) => {
      const quantity = String(run.nextQuantity())
      const response = await run.send({ operation: 'updateInventory', petId, body: `{"quantity":${quantity}}` })
      if (response.status !== 200) return { status: response.status }
      const fault = findEchoFault(response, { pet: run.stock.pets.get(petId), quantity })
      run.stock.update(petId, quantity)
      return { status: 200, fault }
    }),
  )
  const answers = settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  const faults = answers.map(({ fault }) => fault).filter((fault) => fault !== undefined)
  const status = answers.find((each) => each.status !== 200)?.status ?? 200
  return toOutcome(run, { status, faults, updated: pets.map(({ petId }) => petId) })
}

/** A range of quantities has no hole: a service that refuses 0 alone takes it for no quantity. */
export async function takesNegativeQuantity(run: Run): Promise<RunOutcome> {
  const { petId = '' } = run.pet ?? {}
  const outcome = await run.update({ petId, body: '{"quantity":-3}' }, 200)
  if (outcome.status !== 200) return outcome
  const { status } = await run.update({ petId, body: '{"quantity":0}' }, 200)
  return status === 400 ? { ...outcome, faults: [...outcome.faults, 'Quantity -3 is accepted, and 0 is not'] } : outcome
}

async function toOutcome(
  run: Run,
  { status, faults, updated }: { status: number; faults: readonly string[]; updated: readonly string[] },
): Promise<RunOutcome> {
  const differences = await run.findStockFaults({ updated })
  const deviation = status === 200 ? undefined : `The status is ${status} and should be 200`
  return { status, deviation, faults: [...faults, ...differences] }
}

/** Where formats, types and databases change: separators, `%g`, int16, floats, uint16, int32, uint32, doubles. */
const EDGES = [
  999, 1000, 1250, 9999, 32_767, 32_768, 65_535, 99_999, 100_000, 123_456, 999_999, 1_000_000, 1_234_567, 16_777_217,
  2_147_483_647, 2_147_483_648, 4_294_967_296, 999_999_999_999, 9_007_199_254_740_991,
]

/** Sends larger and larger quantities, as long as the service accepts them, and finds the smallest that is not echoed. */
export async function echoesAllQuantities(run: Run): Promise<RunOutcome> {
  const { petId = '' } = run.pet ?? {}
  let right = 0
  let result: RunOutcome = { status: 200, deviation: undefined, faults: [] }
  const isEchoed = async (quantity: number): Promise<boolean | undefined> => {
    const outcome = await run.update({ petId, body: JSON.stringify({ quantity }) }, 200)
    if (outcome.status !== 200) return undefined
    // A list that is only late is right.
    const isWrong = outcome.faults.length > 0 && !outcome.faults.some((fault) => fault.startsWith('Read again'))
    if (isWrong) result = outcome
    return !isWrong
  }
  for (const edge of EDGES) {
    const echoed = await isEchoed(edge)
    if (echoed === undefined) break
    if (echoed) {
      right = edge
      continue
    }
    let wrong = edge
    while (wrong - right > 1) {
      const middle = right + Math.floor((wrong - right) / 2)
      const found = await isEchoed(middle)
      if (found === undefined) break
      if (found) right = middle
      else wrong = middle
    }
    return { ...result, faults: [...result.faults, `The smallest quantity that was found to differ is ${wrong}`] }
  }
  return result
}

/** Finds the smallest or the largest accepted quantity by bisection. */
export async function findsRange(run: Run, end: 'min' | 'max'): Promise<RunOutcome> {
  const { petId = '' } = run.pet ?? {}
  let accepted = run.nextQuantity()
  let rejected = end === 'min' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  const outward = Math.sign(rejected - accepted)
  const frequent = end === 'min' ? [0, 1, -(2 ** 31)] : [2 ** 31 - 1, 9999, 999]

  async function narrow(quantity: number): Promise<void> {
    if ((quantity - accepted) * outward <= 0 || (rejected - quantity) * outward < 0) return
    const response = await run.send({ operation: 'updateInventory', petId, body: JSON.stringify({ quantity }) })
    if (response.status === 200 && parsePet(response.json)?.quantity !== String(quantity))
      throw new Undecided(`the service accepts quantity ${quantity} and does not return it`)
    if (response.status === 200) accepted = quantity
    else if (response.status === 400) rejected = quantity
    else throw new Undecided(`the status is ${response.status} and should be one of 200, 400`)
  }

  const start = await run.send({ operation: 'updateInventory', petId, body: JSON.stringify({ quantity: accepted }) })
  if (start.status !== 200) throw new Undecided('no update was accepted')
  await narrow(rejected)
  for (const quantity of frequent) {
    await narrow(quantity)
    await narrow(quantity + outward)
  }
  while (Math.abs(rejected - accepted) > 1) await narrow(accepted + Math.trunc((rejected - accepted) / 2))
  run.found[end] = accepted
  const latest = { updated: [petId], ignored: petId }
  return { status: 200, deviation: undefined, faults: await run.findStockFaults(latest) }
}

/** Why a point of a profile cannot be decided, as a clause. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
}

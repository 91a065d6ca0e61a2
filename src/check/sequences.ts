import { CaseEnd, type Finding, fail } from './report.ts'
import { type CaseOutcome, LAG, type Run } from './run.ts'
import { LIST } from './service.ts'
import { type ListedPet, parsePet, toBody } from './stock.ts'

// The cases that need more than one request.

/** How many pets get their own quantity, before no other pet is tried. */
const MOST_TRIED = 25

/**
 * Sends each chosen pet the quantity that it has. The stock of a pet whose quantity is refused could not be restored, so
 * that other pets are chosen instead: a service may accept no 0, but list a pet that is sold out.
 */
export async function keepsQuantities(run: Run): Promise<CaseOutcome> {
  const outcomes: CaseOutcome[] = []
  const tried = new Set<ListedPet>()
  const findNext = (): ListedPet | undefined =>
    tried.size < MOST_TRIED ? run.chosen.all.find((pet) => !tried.has(pet)) : undefined
  for (let pet = findNext(); pet !== undefined; pet = findNext()) {
    tried.add(pet)
    outcomes.push(await run.update({ petId: pet.petId, body: toBody(pet.quantity) }))
  }
  if (tried.size === MOST_TRIED) for (const pet of run.options.pets) if (!tried.has(pet)) run.eligible.delete(pet.petId)
  const isHopeless = run.eligible.size === 0 && Array.from(tried).some(({ quantity }) => Number(quantity) > 0)
  const odd = outcomes.find(({ status }) => status !== 200 && (status !== 400 || isHopeless))
  const { status, at } = odd ?? outcomes.find((each) => each.status !== 200) ?? (outcomes[0] as CaseOutcome)
  const findings = outcomes.flatMap((each) => each.findings)
  // A quantity that is refused is a decision of the service, and another status is not.
  if (odd !== undefined) findings.unshift(fail(`status ${status}`, `The status is ${status} and should be 200`, at))
  return { status, at, findings }
}

/** Finds a range of quantities that the service accepts, from which all other cases choose theirs. */
export async function takesNewQuantity(run: Run, petId: string): Promise<CaseOutcome> {
  let outcome: CaseOutcome = { status: undefined, findings: [] }
  for (const range of run.quantities.ranges) {
    run.quantities.use(range)
    // The last one is not what the next case sends.
    for (const quantity of range) {
      outcome = await run.update({ petId, body: toBody(quantity) })
      if (outcome.status !== 200 || isDoubtful(outcome)) break
    }
    if (outcome.status !== 400 || isDoubtful(outcome)) break
  }
  return outcome
}

/** A replayed response, a debounced write or a write that comes too late shows in a list after several updates. */
export async function updatesInARow(run: Run, petId: string, pauseMs = 0): Promise<CaseOutcome> {
  const [first, second] = [run.quantities.next(), run.quantities.next()]
  const outcomes: CaseOutcome[] = []
  // The last one is the same request as the first.
  for (const quantity of [first, second, first]) outcomes.push(await run.sendUpdate({ petId, body: toBody(quantity) }))
  return withList(run, outcomes, pauseMs)
}

/** A service must not answer that a list is not modified, after an update. Without ETags, it ignores the one it gets. */
export async function sendsOldEtag(run: Run, petId: string): Promise<CaseOutcome> {
  const { headers } = await run.send(LIST)
  const outcome = await run.update({ petId, body: toBody(run.quantities.next()) })
  if (outcome.status !== 200 || isDoubtful(outcome)) return outcome
  const { status } = await run.send({ ...LIST, etag: headers.get('etag') ?? '"petstore-check"' })
  return { status, at: run.responses.length - 1, findings: [] }
}

/** A service that reads, waits and writes back its whole stock loses one of two updates, or swaps their responses. */
export async function updatesAtOnce(run: Run): Promise<CaseOutcome> {
  const pets = [run.chosen.pet, run.chosen.otherPet] as ListedPet[]
  const updates = pets.map(({ petId }, index) =>
    run.sendUpdate({ petId, body: toBody(run.quantities.next()), isAtOnce: index === 0 }),
  )
  // Waits for all even if one fails: no update may be in flight when the stock is restored.
  await Promise.allSettled(updates)
  return withList(run, await Promise.all(updates))
}

/** The outcome of updates that should all be 200, with the list afterwards. */
async function withList(run: Run, outcomes: readonly CaseOutcome[], pauseMs = 0): Promise<CaseOutcome> {
  const { status, at } = outcomes.find((each) => each.status !== 200) ?? (outcomes[0] as CaseOutcome)
  return { status, at, findings: [...outcomes.flatMap((each) => each.findings), ...(await run.checkList(pauseMs))] }
}

/** A range of quantities has no hole: a service that refuses 0 alone takes it for no quantity. */
export async function takesNegativeQuantity(run: Run, petId: string): Promise<CaseOutcome> {
  const outcome = await run.update({ petId, body: toBody(-3) })
  if (outcome.status !== 200) return outcome
  const { status, at } = await run.update({ petId, body: toBody(0) })
  const holes = status === 400 ? [fail('range', 'Quantity -3 is accepted, and 0 is not', at)] : []
  return { ...outcome, findings: [...outcome.findings, ...holes] }
}

/** Where formats, types and databases change: digits, int8, separators, `%g`, int16, floats, uint16, int32, uint32, doubles. */
const EDGES = [
  10, 100, 128, 256, 999, 1000, 9999, 32_767, 32_768, 65_535, 99_999, 100_000, 123_456, 999_999, 1_000_000, 1_234_567,
  16_777_217, 2_147_483_647, 2_147_483_648, 4_294_967_296, 999_999_999_999, 9_007_199_254_740_991,
]

/** Sends larger and larger quantities, up to the first that is refused, or is not listed. */
export async function echoesAllQuantities(run: Run, petId: string): Promise<CaseOutcome> {
  const doubts: Finding[] = []
  let isAccepted = false
  for (const quantity of EDGES) {
    const outcome = await run.update({ petId, body: toBody(quantity) })
    // A service may accept none of the first ones.
    if (outcome.status !== 200 && isAccepted) break
    if (outcome.status !== 200) continue
    isAccepted = true
    const causes = outcome.findings.filter(({ verdict }) => verdict === 'failed').map(({ cause }) => cause)
    // A list that is only late is right.
    if (causes.length > 0 && !causes.includes(LAG)) return outcome
    doubts.push(...outcome.findings.filter(({ verdict }) => verdict === 'inconclusive'))
  }
  return { status: 200, findings: doubts }
}

/** Finds the smallest or the largest accepted quantity. */
export async function findsRange(run: Run, petId: string, end: 'min' | 'max'): Promise<CaseOutcome> {
  const isAccepted = async (quantity: number): Promise<boolean> => {
    const response = await run.send({ operation: 'updateInventory', petId, body: toBody(quantity) })
    const returned = parsePet(response.json)?.quantity
    if (response.status === 200 && returned !== String(quantity))
      throw new CaseEnd('skipped', `the service accepts quantity ${quantity} and does not return it`)
    if (response.status === 200 || response.status === 400) return response.status === 200
    throw new CaseEnd('skipped', `the status is ${response.status} and should be one of 200, 400`)
  }
  let accepted = run.quantities.next()
  let refused = end === 'min' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  try {
    if (!(await isAccepted(accepted))) throw new CaseEnd('skipped', 'no update was accepted')
    if (await isAccepted(refused)) accepted = refused
    while (Math.abs(refused - accepted) > 1) {
      const middle = accepted + Math.trunc((refused - accepted) / 2)
      if (await isAccepted(middle)) accepted = middle
      else refused = middle
    }
  } finally {
    // The quantity is unknown.
    run.stock.update(petId, undefined)
  }
  run.found[end] = accepted
  return { status: 200, findings: await run.checkList() }
}

function isDoubtful({ findings }: CaseOutcome): boolean {
  return findings.some(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
}

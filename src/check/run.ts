import { setTimeout as sleep } from 'node:timers/promises'
import { JsonNumber, parseExactJson } from '../http/exact-json.ts'
import { type CheckRequest, type Exchange, Inconclusive, type Session } from './session.ts'
import { isInteger, type LatestUpdate, type ListedPet, parsePet, parsePets, Stock, toMap } from './stock.ts'
import type { StockKeeper } from './stock-keeper.ts'
import { choosePets, listChosen, type Survey } from './survey.ts'
import type { MirroredExchange, Twin } from './twin.ts'

/** The outcome of a case. */
export interface RunOutcome {
  /** `undefined` without a response. */
  readonly status: number | undefined
  /** The difference from the expectation, as a sentence. An external service may deviate from this project's decisions. */
  readonly deviation: string | undefined
  /** Errors whatever the basis of the case, as sentences. */
  readonly faults: readonly string[]
}

/** The state that the cases of one check share, and what they can do. */
export interface Run extends Survey {
  readonly apiKey: string
  readonly mayWrite: boolean
  /** The expected list. */
  readonly stock: Stock
  readonly twin: Twin | undefined
  /** All exchanges so far. */
  readonly exchanges: MirroredExchange[]
  /** The bounds of the accepted quantities that were found. */
  readonly found: { min?: number; max?: number }
  send(request: CheckRequest): Promise<Exchange>
  /** Sends an update and checks the response, and the list afterwards. */
  update(sent: Omit<CheckRequest, 'operation'>, expected: number): Promise<RunOutcome>
  /** Reads the list and compares it with the expected one. A difference is read again, to find its cause. */
  findStockFaults(latest: LatestUpdate): Promise<readonly string[]>
  /** Has the cases update none but these pets, and returns which of them. */
  choose(pets: readonly ListedPet[]): readonly ListedPet[]
  /** A quantity within `useQuantities`. No pet had it before the check, if there is one that no pet had. */
  nextQuantity(): number
  /** Sets the lowest and the highest quantity to send. @default from 613 on */
  useQuantities(lowest: number, highest: number): void
}

/** Inside the ranges that services usually accept, and unlikely in anybody's tests. */
export const FIRST_QUANTITY = 613
const LIST: CheckRequest = { operation: 'listInventory' }
/** The pauses before a list is read again, for three seconds in all. */
const PAUSES = [20, 80, 200, 300, 400, 1000, 1000]
/** How long to watch a pet that nobody updated, in milliseconds. */
const OTHERS_MS = 900
/** How long to wait for late lists in one check, in milliseconds. */
const LONGEST_WAIT_MS = 10_000

interface RunOptions {
  readonly session: Session
  readonly survey: Survey
  readonly keeper: StockKeeper
  readonly mayWrite: boolean
  readonly twin: Twin | undefined
}

export function createRun({ session, survey, keeper, mayWrite, twin }: RunOptions): Run {
  const stock = new Stock(survey.pets)
  const exchanges: MirroredExchange[] = []
  const known = new Set(survey.pets.map(({ petId }) => petId))
  const taken = new Set(survey.pets.map(({ quantity }) => quantity))
  let [lowest, highest] = [FIRST_QUANTITY, Number.MAX_SAFE_INTEGER]
  let quantity = lowest - 1
  /** Whether an update did not appear at all: no other one is waited for. */
  let isLost = false
  let waitedMs = 0

  async function send(request: CheckRequest): Promise<Exchange> {
    if (request.operation === 'updateInventory') keeper.beforeUpdate(request.petId ?? '', request.body)
    const ours = await twin?.send(request)
    const exchange = await session.send(request)
    exchanges.push({ ...exchange, ours })
    return exchange
  }

  async function update(sent: Omit<CheckRequest, 'operation'>, expected: number): Promise<RunOutcome> {
    if (waitedMs > LONGEST_WAIT_MS)
      throw new Inconclusive('the lists lag so far behind the updates that nothing more can be said')
    const { petId = '', body } = sent
    const response = await send({ operation: 'updateInventory', ...sent })
    const sentQuantity = toQuantity(body)
    const isAccepted = response.status === 200
    const before = stock.pets.get(petId)
    const echo = isAccepted ? findEchoFault(response, { pet: before, quantity: sentQuantity }) : undefined
    if (isAccepted && sentQuantity !== undefined) stock.update(petId, sentQuantity)
    const ignored = isAccepted && sentQuantity === undefined ? petId : undefined
    const differences = await findStockFaults({ updated: [petId], quantity: sentQuantity, ignored })
    if (isAccepted && sentQuantity !== undefined && !known.has(petId)) keeper.noteAlias(petId, stock, sentQuantity)
    const faults = isAccepted
      ? differences
      : differences.map((each, index) => (index === 0 ? `After the ${response.status}: ${each}` : each))
    return {
      status: response.status,
      deviation: findStatusDeviation(response, expected),
      faults: echo === undefined || stock.foreign.has(petId) ? faults : [echo, ...faults],
    }
  }

  async function findStockFaults(latest: LatestUpdate): Promise<readonly string[]> {
    const first = await send(LIST)
    const difference = first.status === 200 ? stock.compare(first.json, latest) : undefined
    if (first.status !== 200) return [`The next list is ${first.status} and should be 200`]
    const { list, faults } =
      difference === undefined ? { list: first, faults: [] } : await readAgain(difference, latest)
    stock.adopt(list.json, latest)
    for (const petId of stock.sideEffects) if (survey.changeable.has(petId)) keeper.touch(petId)
    return faults
  }

  /** Tells a list that lags from one that is wrong. */
  async function readAgain(
    difference: string,
    latest: LatestUpdate,
  ): Promise<{ list: Exchange; faults: readonly string[] }> {
    const start = performance.now()
    let list = exchanges.pop() as MirroredExchange
    const { ours } = list
    const read = async (): Promise<string | undefined> => {
      list = { ...(await session.send(LIST)), ours }
      return stock.compare(list.json, latest)
    }
    const faults = [difference]
    const seen = [list]
    const isStatus = difference.includes('sets the quantity alone')
    const isElsewhere = isStatus || !latest.updated?.some((petId) => new RegExp(`[Pp]et ${petId}\\b`).test(difference))
    let rightAfterMs: number | undefined
    for (const pause of isLost ? [] : PAUSES) {
      await sleep(pause)
      const isStill = (await read()) !== undefined
      seen.push(list)
      if (leaveOutForeign(seen, latest)) return { list, faults: [] }
      const ms = performance.now() - start
      if (!isStill) rightAfterMs ??= ms
      // Another client, if there is one, needs some time to show itself.
      if (isStill || (isElsewhere && ms < OTHERS_MS)) continue
      const right = list
      const isBack = (await read()) !== undefined || (await read()) !== undefined
      faults.push(
        isBack ? 'Read again, the list was right, and then the old value came back' : toLagSentence(rightAfterMs ?? ms),
      )
      list = right
      break
    }
    waitedMs += performance.now() - start
    if (faults.length === 1) isLost = true
    exchanges.push(list)
    return { list, faults }
  }

  /** Leaves out pets that change while nothing is updated, and more than once: other clients do that. */
  function leaveOutForeign(lists: readonly Exchange[], { updated = [] }: LatestUpdate): boolean {
    const shown = lists.map(({ json }) => toMap(parsePets(json) ?? []))
    const foreign = survey.pets.filter(({ petId }) => {
      // The quantity of an updated pet may be told by two memories in turn.
      const isOurs = updated.includes(petId)
      const states = shown.map((pets) => JSON.stringify(isOurs ? pets.get(petId)?.status : pets.get(petId)))
      const changes = states.filter((state, index) => index > 0 && state !== states[index - 1]).length
      return changes >= 2
    })
    for (const { petId } of foreign) stock.foreign.add(petId)
    if (foreign.length > 0) run.choose(survey.pets.filter((pet) => isChangeable(pet) && !stock.foreign.has(pet.petId)))
    return foreign.length > 0
  }

  const isChangeable = ({ petId }: ListedPet): boolean => survey.changeable.has(petId)

  const run: Run = {
    ...survey,
    apiKey: session.apiKey,
    mayWrite,
    stock,
    twin,
    exchanges,
    found: {},
    send,
    update,
    findStockFaults,
    choose(pets) {
      const petlessReason = pets.length === 0 ? 'the service accepts no quantity that could be restored' : undefined
      const chosen = choosePets(pets, known)
      Object.assign(run, chosen, petlessReason && { petlessReason })
      return listChosen(chosen)
    },
    nextQuantity() {
      const next = (): number => {
        quantity = quantity < highest ? quantity + 1 : lowest
        return quantity
      }
      const first = next()
      let found = first
      while (taken.has(String(found))) {
        found = next()
        if (found === first) return next()
      }
      return found
    },
    useQuantities(...range) {
      ;[lowest, highest] = range
      quantity = lowest - 1
    },
  }
  return run
}

function toLagSentence(ms: number): string {
  const time = ms < 1000 ? `${Math.ceil(ms / 20) * 20} ms` : `${Math.ceil(ms / 1000)} s`
  return `Read again, the list was right within ${time}: it lags behind the updates, or is cached`
}

/** An Error object with an empty code is valid by the schema, but useless. */
export function findStatusDeviation({ status, json }: Exchange, expected: number): string | undefined {
  if (status !== expected) return `The status is ${status} and should be ${expected}`
  if (expected < 400) return undefined
  const { code } = (json ?? {}) as { readonly code?: unknown }
  return code === '' ? 'The code of the Error object is empty' : undefined
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
export function findEchoFault(
  { json }: Exchange,
  { pet, quantity }: { pet: ListedPet | undefined; quantity: string | undefined },
): string | undefined {
  if (pet === undefined) return undefined
  const echoed = parsePet(json)
  if (echoed === undefined) return 'The response is no entry of the inventory'
  if (echoed.petId !== pet.petId) return `The response is pet ${echoed.petId} and should be pet ${pet.petId}`
  if (quantity !== undefined && echoed.quantity !== quantity)
    return `The response says quantity ${echoed.quantity} and should say ${quantity}`
  if (echoed.status === pet.status) return undefined
  return `The response says ${echoed.status} and the pet was ${pet.status}: an update sets the quantity alone`
}

/** The integer in a body, in decimal form; `5.0` and `5e0` are 5. `1e400` stays as it is, which no echo repeats. */
function toQuantity(body: string | undefined): string | undefined {
  try {
    const { quantity } = parseExactJson(body ?? '') as { readonly quantity?: unknown }
    if (quantity instanceof JsonNumber) return quantity.source
    return isInteger(quantity) ? String(quantity) : undefined
  } catch {
    return undefined
  }
}

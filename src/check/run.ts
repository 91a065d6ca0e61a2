import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { JsonNumber, parseExactJson } from '../http/exact-json.ts'
import { type ChosenPets, choosePets } from './choose-pets.ts'
import { CaseEnd, type Finding } from './report.ts'
import type { StockKeeper } from './restore.ts'
import type { CheckRequest, Exchange, Session } from './service.ts'
import { type Difference, isInteger, type ListedPet, parsePet, parsePets, Stock, toMap } from './stock.ts'
import type { Survey } from './survey.ts'
import type { MirroredExchange, Twin } from './twin.ts'

/** The outcome of a case. */
export interface Outcome {
  /** `undefined` without a response. */
  readonly status: number | undefined
  readonly findings: readonly Finding[]
}

/** The state that the cases of one check share, and what they can do. */
export interface Run extends Omit<Survey, 'service'> {
  readonly apiKey: string
  readonly mayWrite: boolean
  /** The expected list. */
  readonly stock: Stock
  readonly chosen: ChosenPets
  /** The changeable pets that the cases may choose from: the service accepts their quantities, and nobody else sells them. */
  readonly eligible: Set<string>
  /** Chooses again, after a change of `eligible`. */
  choose(): void
  /** Which pets other clients were seen to change. */
  readonly notes: Finding[]
  /** All exchanges of the case. */
  readonly exchanges: MirroredExchange[]
  /** The bounds of the accepted quantities that were found. */
  readonly found: { min?: number; max?: number }
  /** Whether updates change other pets too. */
  readonly hasSideEffects: boolean
  send(request: CheckRequest): Promise<Exchange>
  /** Sends an update, and expects an accepted one in the next list. @returns also the errors of an echo. */
  sendUpdate(update: Omit<CheckRequest, 'operation'>): Promise<Outcome>
  /** Reads the list and compares it with the expected one. A difference is read again, to find its cause. */
  checkList(): Promise<readonly Finding[]>
  /** Sends an update and checks its status, its echo, and the list afterwards. */
  update(update: Omit<CheckRequest, 'operation'>, expected: number): Promise<Outcome>
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
/** How long to watch a status that is not as it was, in milliseconds: other clients may change it to and fro. */
const OTHERS_MS = 900
/** How long to wait for late lists in one check, in milliseconds. */
const LONGEST_WAIT_MS = 10_000
/** How often an update is repeated to see whether it changes another pet again. */
const REPETITIONS = 3

interface RunOptions {
  readonly session: Session
  readonly survey: Survey
  readonly keeper: StockKeeper
  readonly mayWrite: boolean
  readonly twin: Twin | undefined
}

export function createRun({ session, survey, keeper, mayWrite, twin }: RunOptions): Run {
  const { pets, changeable } = survey
  const { apiKey } = survey.service
  const known = new Set(pets.map(({ petId }) => petId))
  const taken = new Set(pets.map(({ quantity }) => quantity))
  const stock = new Stock(pets)
  const eligible = new Set(changeable)
  const exchanges: MirroredExchange[] = []
  const notes: Finding[] = []
  let chosen: ChosenPets
  let [lowest, highest] = [FIRST_QUANTITY, Number.MAX_SAFE_INTEGER]
  let quantity = lowest - 1
  /** Whether an update did not appear at all: no other one is waited for. */
  let isLost = false
  let hasSideEffects = false
  let waitedMs = 0

  async function send(request: CheckRequest): Promise<Exchange> {
    if (request.operation === 'updateInventory') keeper.beforeUpdate(request.petId ?? '', request.body)
    const ours = await twin?.send(request)
    const exchange = await session.send(request)
    exchanges.push({ ...exchange, ours })
    return exchange
  }

  async function sendUpdate(given: Omit<CheckRequest, 'operation'>): Promise<Outcome> {
    const response = await send({ operation: 'updateInventory', ...given })
    const { petId = '', body } = given
    const { status } = response
    if (status !== 200) return { status, findings: [] }
    const sent = readQuantity(body)
    const pet = stock.pets.get(petId)
    stock.update(petId, sent)
    const fault = pet && findEchoFault(response, { ...pet, quantity: sent })
    return { status, findings: fault === undefined ? [] : [fault] }
  }

  async function update(given: Omit<CheckRequest, 'operation'>, expected: number): Promise<Outcome> {
    const { petId = '', body } = given
    if (waitedMs > LONGEST_WAIT_MS)
      throw new CaseEnd('inconclusive', 'the lists lag so far behind the updates that nothing more can be said')
    const { status, findings } = await sendUpdate(given)
    const deviation = findDeviation(exchanges.at(-1) as Exchange, expected)
    const [first, ...others] = await checkList()
    if (status === 200 && !known.has(petId)) {
      const updated = Array.from(stock.pets.values()).find((pet) => pet.quantity === readQuantity(body))
      if (updated !== undefined) keeper.noteAlias(petId, updated.petId)
    }
    const echo = stock.foreign.has(petId) ? [] : findings
    const after =
      first?.verdict === 'failed' && status !== 200
        ? { ...first, message: `After the ${status}: ${first.message}` }
        : first
    return { status, findings: [deviation, ...echo, after, ...others].filter((each) => each !== undefined) }
  }

  async function checkList(): Promise<readonly Finding[]> {
    const updates = listUpdates()
    for (;;) {
      let list = await send(LIST)
      if (list.status !== 200) return [fail('list status', `The next list is ${list.status} and should be 200`)]
      const difference = stock.compare(list.json)
      let findings: readonly Finding[] = []
      if (difference !== undefined && mayBeForeign(difference, updates)) {
        const repeated = await findRecurring(list, updates)
        if (repeated === undefined) {
          leaveOut(difference.petId)
          continue
        }
        hasSideEffects = true
        list = repeated
        findings = [difference]
      } else if (difference !== undefined) ({ list, findings } = await readAgain(difference))
      const isOurs = (pet: ListedPet): boolean => hasSideEffects || isExplained(pet, updates)
      for (const { petId } of stock.adopt(list.json).filter(isOurs)) keeper.touch(petId)
      return findings
    }
  }

  /** The updates since the last list. */
  function listUpdates(): readonly CheckRequest[] {
    const last = exchanges.findLastIndex(({ request }) => request.operation === 'listInventory')
    return exchanges.slice(last + 1).map(({ request }) => request)
  }

  /** Whether a quantity may come from this check: the pet was updated or had it before, or another one was set to it. */
  function isExplained({ petId, quantity: shown }: ListedPet, updates: readonly CheckRequest[]): boolean {
    const isSent = updates.some((each) => each.petId === petId || readQuantity(each.body) === shown)
    return isSent || stock.hadQuantity(petId, shown)
  }

  function mayBeForeign({ pet, kind }: Difference, updates: readonly CheckRequest[]): boolean {
    if (pet === undefined || hasSideEffects || updates.length === 0) return false
    return kind === 'status' ? updates.every(({ petId }) => petId !== pet.petId) : !isExplained(pet, updates)
  }

  /**
   * Repeats updates, with another quantity if possible: what they change in other pets, they change every time.
   * @returns the last list; `undefined` if nothing changed again, so that another client made the change.
   */
  async function findRecurring(first: Exchange, updates: readonly CheckRequest[]): Promise<Exchange | undefined> {
    let list = first
    for (let left = REPETITIONS; left > 0; left -= 1) {
      const before = toMap(parsePets(list.json) ?? [])
      for (const request of updates.slice(-2)) {
        const isPlain = left % 2 === 1 && PLAIN_BODY.test(request.body ?? '')
        await sendUpdate({ ...request, ...(isPlain && { body: `{"quantity":${run.nextQuantity()}}` }) })
      }
      list = await send(LIST)
      const isChanged = (pet: ListedPet): boolean =>
        !isDeepStrictEqual(pet, before.get(pet.petId)) && updates.every(({ petId }) => petId !== pet.petId)
      if (!parsePets(list.json)?.some((pet) => !stock.foreign.has(pet.petId) && isChanged(pet))) return undefined
    }
    return list
  }

  /** Another client changes a pet: the cases leave it alone. */
  function leaveOut(petId: string): void {
    stock.foreign.add(petId)
    eligible.delete(petId)
    run.choose()
    const message = `Another client changed pet ${petId}, which is left out from now on`
    notes.push({ verdict: 'passed', cause: 'foreign', message })
  }

  /** Tells a list that lags from one that is wrong. */
  async function readAgain(difference: Difference): Promise<{ list: Exchange; findings: readonly Finding[] }> {
    const start = performance.now()
    let list = exchanges.pop() as MirroredExchange
    const { ours } = list
    const states: unknown[] = [difference.pet?.status]
    const isWrong = async (): Promise<boolean> => {
      list = { ...(await session.send(LIST)), ours }
      states.push(parsePets(list.json)?.find(({ petId }) => petId === difference.petId)?.status)
      return stock.compare(list.json) !== undefined
    }
    const findings: Finding[] = [difference]
    let rightAfterMs: number | undefined
    for (const pause of isLost ? [] : PAUSES) {
      await sleep(pause)
      const isStill = await isWrong()
      const changes = states.filter((state, index) => index > 0 && state !== states[index - 1]).length
      if (difference.kind === 'status' && changes > 1) {
        leaveOut(difference.petId)
        exchanges.push(list as MirroredExchange)
        return { list, findings: [] }
      }
      const ms = performance.now() - start
      if (!isStill) rightAfterMs ??= ms
      if (isStill || (difference.kind === 'status' && ms < OTHERS_MS)) continue
      const right = list
      findings.push((await isWrong()) || (await isWrong()) ? BACK : toLag(rightAfterMs ?? ms))
      list = right
      break
    }
    waitedMs += performance.now() - start
    isLost ||= findings.length === 1
    exchanges.push(list as MirroredExchange)
    return { list, findings }
  }

  const run: Run = {
    pets,
    changeable,
    apiKey,
    mayWrite,
    stock,
    eligible,
    notes,
    exchanges,
    found: {},
    get chosen() {
      return chosen
    },
    get hasSideEffects() {
      return hasSideEffects
    },
    get petlessReason() {
      const isRefused = changeable.size > 0
      return isRefused ? 'the service accepts no quantity that could be restored' : survey.petlessReason
    },
    choose() {
      chosen = choosePets(
        pets.filter(({ petId }) => eligible.has(petId)),
        known,
      )
    },
    send,
    sendUpdate,
    checkList,
    update,
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
  run.choose()
  return run
}

export function fail(cause: string, message: string): Finding {
  return { verdict: 'failed', cause, message }
}

/** The cause of a list that is right when it is read again. */
export const LAG = 'lag'

const BACK = fail('cache', 'Read again, the list was right, and then the old value came back')

function toLag(ms: number): Finding {
  const time = ms < 1000 ? `${Math.ceil(ms / 20) * 20} ms` : `${Math.ceil(ms / 1000)} s`
  return fail(LAG, `Read again, the list was right within ${time}: it lags behind the updates, or is cached`)
}

/** How a response deviates from what a case expects, which is no error where a service may decide. */
export function findDeviation(
  { status, json }: Pick<Exchange, 'status' | 'json'>,
  expected: number,
): Finding | undefined {
  if (status !== expected)
    return deviate(`status ${status}, not ${expected}`, `The status is ${status} and should be ${expected}`)
  const { code } = (json ?? {}) as { readonly code?: unknown }
  // Valid by the schema, but useless.
  return expected >= 400 && code === '' ? deviate('code', 'The code of the Error object is empty') : undefined
}

export function deviate(cause: string, message: string): Finding {
  return { verdict: 'differs', cause, message }
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
function findEchoFault(
  { json }: Exchange,
  { petId, quantity, status }: Omit<ListedPet, 'quantity'> & { readonly quantity: string | undefined },
): Finding | undefined {
  const echoed = parsePet(json)
  if (echoed === undefined) return fail('echo', 'The response is no entry of the inventory')
  if (echoed.petId !== petId)
    return fail('echo petId', `The response is pet ${echoed.petId} and should be pet ${petId}`)
  if (quantity !== undefined && echoed.quantity !== quantity)
    return fail('echo quantity', `The response says quantity ${echoed.quantity} and should say ${quantity}`)
  if (echoed.status === status) return undefined
  const says = `The response says ${echoed.status} and the pet was ${status}`
  return fail('echo status', `${says}: an update sets the quantity alone`)
}

const PLAIN_BODY = /^\{"quantity":-?\d+\}$/

/** The integer in a body, in decimal form; `5.0` and `5e0` are 5. `1e400` stays as it is, which no echo repeats. */
function readQuantity(body: string | undefined): string | undefined {
  try {
    const { quantity } = parseExactJson(body ?? '') as { readonly quantity?: unknown }
    if (quantity instanceof JsonNumber) return quantity.source
    return isInteger(quantity) ? String(quantity) : undefined
  } catch {
    return undefined
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type ChosenPets, choosePets, Quantities } from './choices.ts'
import { CaseEnd, type Finding, fail } from './report.ts'
import type { StockKeeper } from './restore.ts'
import { type CheckRequest, type CheckResponse, LIST, type Session } from './service.ts'
import {
  type Difference,
  findEchoFault,
  type ListedPet,
  parsePets,
  readQuantity,
  Stock,
  toBody,
  toMap,
} from './stock.ts'
import type { MirroredResponse, Twin } from './twin.ts'

export interface CaseOutcome {
  readonly status: number | undefined
  readonly findings: readonly Finding[]
}

type Update = Omit<CheckRequest, 'operation'>
/** Sends updates again, with another quantity where one is given. */
type Repeat = (quantity?: number) => Promise<unknown>

/** The pauses before a list is read again, for three seconds in all. */
const PAUSES = [20, 80, 200, 300, 400, 1000, 1000]
/** How long to watch a status that is not as it was, in milliseconds: other clients may change it to and fro. */
const OTHERS_MS = 900
/** How long to wait for late lists in one check, in milliseconds. */
const LONGEST_WAIT_MS = 10_000
/** How often an update, or a list, is repeated to see whether it changes another pet again. */
const REPETITIONS = 3

interface RunOptions {
  readonly session: Session
  /** The list before the first case. */
  readonly list: CheckResponse
  readonly pets: readonly ListedPet[]
  /** The ids of all pets that may be updated. */
  readonly changeable: ReadonlySet<string>
  readonly keeper: StockKeeper
  readonly mayWrite: boolean
  readonly twin: Twin | undefined
}

export class Run {
  readonly options: RunOptions
  /** The changeable pets that the cases may choose: the service accepts their quantities, and nobody else changes them. */
  readonly eligible: Set<string>
  readonly stock: Stock
  readonly responses: MirroredResponse[] = []
  /** The first list of a case that is not as expected. */
  wrongList: CheckResponse | undefined
  readonly notes: Finding[] = []
  readonly quantities: Quantities
  /** The bounds of the accepted quantities that were found. */
  readonly found: { min?: number; max?: number } = {}
  chosen: ChosenPets
  hasSideEffects = false
  /** Whether an update did not appear at all: no other one is waited for. */
  #isLost = false
  /** Whether an update did not appear, but its repetitions did. */
  #wasLostOnce = false
  #waitedMs = 0
  #list: CheckResponse | undefined

  constructor(options: RunOptions) {
    const { pets, changeable } = options
    this.options = options
    this.eligible = new Set(changeable)
    this.stock = new Stock(pets)
    this.quantities = new Quantities(pets)
    this.chosen = choosePets(pets, changeable)
  }

  get petlessReason(): string {
    if (this.options.changeable.size > 0) return 'the service accepts no quantity that could be restored'
    const { status, json } = this.options.list
    return status === 200 && Array.isArray(json) ? 'there is no pet to update' : 'the list could not be read'
  }

  choose(): void {
    this.chosen = choosePets(this.options.pets, this.eligible)
  }

  async send(request: CheckRequest): Promise<CheckResponse> {
    const { keeper, twin, session } = this.options
    if (request.operation === 'updateInventory') keeper.beforeUpdate(request.petId ?? '', request.body)
    const ours = await twin?.(request)
    const response = await session.send(request)
    this.responses.push({ ...response, ours })
    return response
  }

  /** Sends an update, and expects an accepted one in the next list. @returns also the errors of the echo. */
  async sendUpdate(update: Update): Promise<CaseOutcome> {
    const { status, json } = await this.send({ ...update, operation: 'updateInventory' })
    const { petId = '', body } = update
    if (status !== 200) return { status, findings: [] }
    this.stock.update(petId, readQuantity(body))
    const pet = this.stock.pets.get(petId)
    const fault = pet && findEchoFault(json, pet)
    return { status, findings: fault === undefined ? [] : [fault] }
  }

  /** Sends an update and checks its echo, and the list afterwards. */
  async update(update: Update): Promise<CaseOutcome> {
    if (this.#waitedMs > LONGEST_WAIT_MS)
      throw new CaseEnd('inconclusive', 'the lists lag so far behind the updates that nothing more can be said')
    const { petId = '', body } = update
    const { status, findings } = await this.sendUpdate(update)
    const original = this.options.pets.find((pet) => pet.petId === petId)
    // The stock of a pet whose quantity is refused could not be restored: it gets no other one.
    const isRefused = status === 400 && original !== undefined && body === toBody(original.quantity)
    if (isRefused) this.eligible.delete(petId)
    const isPlain = !isRefused && /^\{"quantity":-?\d+\}$/.test(body ?? '')
    const [first, ...others] = await this.checkList((quantity) =>
      this.sendUpdate({ ...update, ...(isPlain && quantity !== undefined && { body: toBody(quantity) }) }),
    )
    if (status === 200 && original === undefined) {
      const updated = Array.from(this.stock.pets.values()).find((pet) => pet.quantity === readQuantity(body))
      if (updated !== undefined) this.options.keeper.noteAlias(petId, updated.petId)
    }
    const echo = this.stock.foreign.has(petId) ? [] : findings
    const after = first && status !== 200 ? { ...first, message: `After the ${status}: ${first.message}` } : first
    return { status, findings: [...echo, ...(after === undefined ? [] : [after]), ...others] }
  }

  /** Reads the list and compares it with the expected one. For a difference, it finds out who or what causes it. */
  async checkList(repeat: Repeat, updates: readonly CheckRequest[] = this.#listUpdates()): Promise<readonly Finding[]> {
    const difference = await this.#readList()
    if (this.#list?.status !== 200) {
      this.wrongList ??= this.#list
      return [fail('list status', `The next list is ${this.#list?.status} and should be 200`)]
    }
    const mayBeForeign = difference !== undefined && this.#mayBeForeign(difference, updates)
    const wrongList = this.#list
    if (mayBeForeign && !(await this.#isSideEffect(updates, repeat))) {
      this.#leaveOut(difference.petId)
      return this.checkList(repeat, updates)
    }
    this.hasSideEffects ||= mayBeForeign
    const isOwn = difference !== undefined && !mayBeForeign
    const findings = isOwn ? await this.#explain(difference, { updates, repeat }) : [difference ?? []].flat()
    if (findings.length > 0) this.wrongList ??= wrongList
    for (const pet of this.stock.adopt(this.#list.json))
      if (this.hasSideEffects || this.#isExplained(pet, updates)) this.options.keeper.touch(pet.petId)
    return findings
  }

  async #readList(): Promise<Difference | undefined> {
    this.#list = await this.send(LIST)
    return this.stock.compare(this.#list.json)
  }

  #listUpdates(): readonly CheckRequest[] {
    const last = this.responses.findLastIndex(({ request }) => request.operation === 'listInventory')
    return this.responses.slice(last + 1).map(({ request }) => request)
  }

  /** Whether a quantity may come from this check: the pet was updated or had it before, or another one was set to it. */
  #isExplained({ petId, quantity }: ListedPet, updates: readonly CheckRequest[]): boolean {
    const isSent = updates.some((each) => each.petId === petId || readQuantity(each.body) === quantity)
    return isSent || this.stock.hadQuantity(petId, quantity)
  }

  #mayBeForeign({ pet, kind }: Difference, updates: readonly CheckRequest[]): boolean {
    if (pet === undefined || this.hasSideEffects || updates.length === 0) return false
    return kind === 'status' ? updates.every(({ petId }) => petId !== pet.petId) : !this.#isExplained(pet, updates)
  }

  /** Repeats updates, with another quantity if possible: what they change in other pets, they change every time. */
  async #isSideEffect(updates: readonly CheckRequest[], repeat: Repeat): Promise<boolean> {
    const changesAgain = async (update?: Promise<unknown>): Promise<boolean> => {
      const before = toMap(parsePets(this.#list?.json) ?? [])
      await update
      await this.#readList()
      const others = parsePets(this.#list?.json)?.filter(
        ({ petId }) => !this.stock.foreign.has(petId) && updates.every((each) => each.petId !== petId),
      )
      return others?.some((pet) => !isDeepStrictEqual(pet, before.get(pet.petId))) === true
    }
    for (let left = REPETITIONS; left > 0; left -= 1)
      if (!(await changesAgain(repeat(left % 2 === 1 ? this.quantities.next() : undefined)))) return false
    // In a busy shop, pets change without updates too.
    for (let left = REPETITIONS; left > 0; left -= 1) if (await changesAgain()) return false
    return true
  }

  /** Tells a late or cached list, a lost update and another client's change apart. */
  async #explain(
    difference: Difference,
    { updates, repeat }: { updates: readonly CheckRequest[]; repeat: Repeat },
  ): Promise<readonly Finding[]> {
    const { petId, kind, pet, message } = difference
    // A list that lags, or is cached, shows a quantity from before.
    const isPast = this.stock.hadQuantity(petId, pet?.quantity)
    const findings = kind !== 'quantity' || isPast ? await this.#readAgain(difference) : [difference]
    if (findings.length !== 1) return findings
    const isUpdated = kind === 'quantity' && updates.some((each) => each.petId === petId)
    const isRefused = !this.eligible.has(petId)
    if (!isUpdated || !(isRefused || (await this.#isRightAgain(petId, { isPast, repeat })))) {
      this.#isLost = true
      return findings
    }
    if (isRefused) this.#leaveOut(petId)
    this.#wasLostOnce ||= isPast
    const sentence = `${message}; ${isRefused ? '' : 'with the update repeated, it was right: '}another client may have changed the pet`
    return [{ verdict: 'inconclusive', cause: 'once', message: sentence }]
  }

  /** Repeats an update whose quantity did not appear, after another one: a service that loses updates, loses more than one. */
  async #isRightAgain(petId: string, { isPast, repeat }: { isPast: boolean; repeat: Repeat }): Promise<boolean> {
    if (this.#isLost || (isPast && this.#wasLostOnce)) return false
    let isRight = false
    for (let left = REPETITIONS; left > 0; left -= 1) {
      await this.sendUpdate({ petId, body: toBody(this.quantities.next()) })
      await repeat()
      await this.#readList()
      const isWrong = this.stock.compare(this.#list?.json, (each) => each === petId) !== undefined
      if (isWrong && isPast) return false
      isRight ||= !isWrong
    }
    return isRight
  }

  /** Another client changes a pet: the cases leave it alone. */
  #leaveOut(petId: string): void {
    this.stock.foreign.add(petId)
    this.eligible.delete(petId)
    this.choose()
    const message = `Another client changed pet ${petId}, which is left out from now on`
    this.notes.push({ verdict: 'passed', cause: 'foreign', message })
  }

  /** Tells a list that lags from one that is wrong. */
  async #readAgain(difference: Difference): Promise<readonly Finding[]> {
    const { petId, kind, pet } = difference
    const start = performance.now()
    const readMs = (): number => performance.now() - start
    const states: unknown[] = [pet?.status]
    const isWrong = async (): Promise<boolean> => {
      const found = await this.#readList()
      states.push(parsePets(this.#list?.json)?.find((each) => each.petId === petId)?.status)
      return found !== undefined
    }
    let rightAfterMs: number | undefined
    for (const pause of this.#isLost ? [] : PAUSES) {
      await sleep(pause)
      const isStill = await isWrong()
      if (!isStill) rightAfterMs ??= readMs()
      const changes = states.filter((state, index) => index > 0 && state !== states[index - 1]).length
      if (kind === 'status' && changes > 1) {
        this.#leaveOut(petId)
        return []
      }
      if (isStill || (kind === 'status' && readMs() < OTHERS_MS)) continue
      const isBack = (await isWrong()) || (await isWrong())
      this.#waitedMs += readMs()
      return [difference, isBack ? BACK : toLag(rightAfterMs ?? 0)]
    }
    this.#waitedMs += readMs()
    return [difference]
  }
}

/** The cause of a list that is right when it is read again. */
export const LAG = 'lag'

const BACK = fail('cache', 'Read again, the list was right, and then the old value came back')

function toLag(ms: number): Finding {
  const time = ms < 1000 ? `${Math.ceil(ms / 20) * 20} ms` : `${Math.ceil(ms / 1000)} s`
  return fail(LAG, `Read again, the list was right within ${time}: it lags behind the updates, or is cached`)
}

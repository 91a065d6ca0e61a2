import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type ChosenPets, choosePets, Quantities } from './choices.ts'
import { fail, findDeviation, findEchoFault, readQuantity, toBody } from './find-faults.ts'
import { CaseEnd, type Finding } from './report.ts'
import type { StockKeeper } from './restore.ts'
import { type CheckRequest, type CheckResponse, LIST, type Session } from './service.ts'
import { type Difference, type ListedPet, parsePets, Stock, toMap } from './stock.ts'
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
    const ours = await twin?.send(request)
    const response = await session.send(request)
    this.responses.push({ ...response, ours })
    return response
  }

  /** Sends an update, and expects an accepted one in the next list. @returns also the errors of the echo. */
  async sendUpdate(update: Update): Promise<CaseOutcome> {
    const response = await this.send({ ...update, operation: 'updateInventory' })
    const { petId = '', body } = update
    const { status } = response
    if (status !== 200) return { status, findings: [] }
    const quantity = readQuantity(body)
    const pet = this.stock.pets.get(petId)
    this.stock.update(petId, quantity)
    const fault = pet && findEchoFault(response, { ...pet, quantity })
    return { status, findings: fault === undefined ? [] : [fault] }
  }

  /** Sends an update and checks its status, its echo, and the list afterwards. */
  async update(update: Update, expected: number): Promise<CaseOutcome> {
    if (this.#waitedMs > LONGEST_WAIT_MS)
      throw new CaseEnd('inconclusive', 'the lists lag so far behind the updates that nothing more can be said')
    const { petId = '', body } = update
    const { status, findings } = await this.sendUpdate(update)
    const deviation = findDeviation(this.responses.at(-1) as CheckResponse, expected)
    const isOwn = body === toBody(this.options.pets.find((pet) => pet.petId === petId)?.quantity ?? '')
    // The stock of a pet whose quantity is refused could not be restored: it gets no other one.
    if (status === 400 && isOwn) this.eligible.delete(petId)
    const isPlain = !(status === 400 && isOwn) && /^\{"quantity":-?\d+\}$/.test(body ?? '')
    const [first, ...others] = await this.checkList((quantity) =>
      this.sendUpdate({ ...update, ...(isPlain && quantity !== undefined && { body: toBody(quantity) }) }),
    )
    if (status === 200 && !this.options.pets.some((pet) => pet.petId === petId)) {
      const updated = Array.from(this.stock.pets.values()).find((pet) => pet.quantity === readQuantity(body))
      if (updated !== undefined) this.options.keeper.noteAlias(petId, updated.petId)
    }
    const echo = this.stock.foreign.has(petId) ? [] : findings
    const after = first && status !== 200 ? { ...first, message: `After the ${status}: ${first.message}` } : first
    return { status, findings: [deviation, ...echo, after, ...others].filter((each) => each !== undefined) }
  }

  /** Reads the list and compares it with the expected one. For a difference, it finds out who or what causes it. */
  async checkList(repeat: Repeat, updates: readonly CheckRequest[] = this.#listUpdates()): Promise<readonly Finding[]> {
    let list = await this.send(LIST)
    if (list.status !== 200) return [fail('list status', `The next list is ${list.status} and should be 200`)]
    let findings: readonly Finding[] = []
    const difference = this.stock.compare(list.json)
    if (difference !== undefined && this.#mayBeForeign(difference, updates)) {
      const repeated = await this.#findRecurring(list, { updates, repeat })
      if (repeated === undefined) {
        this.#leaveOut(difference.petId)
        return this.checkList(repeat, updates)
      }
      this.hasSideEffects = true
      list = repeated
      findings = [difference]
    } else if (difference !== undefined) {
      const { petId, kind, pet } = difference
      const isPast = this.stock.hadQuantity(petId, pet?.quantity)
      findings = [difference]
      // A list that lags, or is cached, shows a quantity from before.
      if (kind !== 'quantity' || isPast) ({ list, findings } = await this.#readAgain(difference))
      const isLost = findings[0] === difference && findings.length === 1
      if (isLost && kind === 'quantity' && updates.some((each) => each.petId === petId))
        ({ list, findings } = await this.#tryAgain(list, { difference, isPast, repeat }))
      this.#isLost ||= isLost && findings[0] === difference
    }
    for (const pet of this.stock.adopt(list.json))
      if (this.hasSideEffects || this.#isExplained(pet, updates)) this.options.keeper.touch(pet.petId)
    return findings
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

  /**
   * Repeats updates, with another quantity if possible: what they change in other pets, they change every time.
   * @returns the last list; `undefined` if nothing changed again, so that another client made the change.
   */
  async #findRecurring(
    first: CheckResponse,
    { updates, repeat }: { updates: readonly CheckRequest[]; repeat: Repeat },
  ): Promise<CheckResponse | undefined> {
    let list = first
    const changesAgain = (next: CheckResponse): boolean => {
      const before = toMap(parsePets(list.json) ?? [])
      list = next
      const others = parsePets(next.json)?.filter(
        ({ petId }) => !this.stock.foreign.has(petId) && updates.every((each) => each.petId !== petId),
      )
      return others?.some((pet) => !isDeepStrictEqual(pet, before.get(pet.petId))) === true
    }
    for (let left = REPETITIONS; left > 0; left -= 1) {
      await repeat(left % 2 === 1 ? this.quantities.next() : undefined)
      if (!changesAgain(await this.send(LIST))) return undefined
    }
    // In a busy shop, pets change without updates too.
    for (let left = REPETITIONS; left > 0; left -= 1) if (changesAgain(await this.send(LIST))) return undefined
    return list
  }

  /**
   * Repeats an update whose quantity did not appear, after another one. A service that loses updates, loses more than one:
   * a single one may have met another client's update.
   */
  async #tryAgain(
    list: CheckResponse,
    { difference, isPast, repeat }: { difference: Difference; isPast: boolean; repeat: Repeat },
  ): Promise<{ list: CheckResponse; findings: readonly Finding[] }> {
    const { petId, message } = difference
    const place = this.responses.length - 1
    const isRefused = !this.eligible.has(petId)
    let last = list
    let left = isRefused || this.#isLost || (isPast && this.#wasLostOnce) ? 0 : REPETITIONS
    let right = isRefused ? 1 : 0
    for (; left > 0; left -= 1) {
      await this.sendUpdate({ petId, body: toBody(this.quantities.next()) })
      await repeat()
      last = await this.send(LIST)
      if (this.stock.compare(last.json, (each) => each === petId) === undefined) right += 1
      else if (isPast) break
    }
    if (right === 0 || left > 0) return { list: last, findings: [difference] }
    if (isRefused) this.#leaveOut(petId)
    this.#wasLostOnce ||= isPast
    // The evidence, which the twin could not foresee.
    const [shown] = this.responses.splice(place, 1)
    if (shown !== undefined) this.responses.push({ ...shown, ours: undefined })
    const sentence = `${message}; ${isRefused ? '' : 'with the update repeated, it was right: '}another client may have changed the pet`
    return { list: last, findings: [{ verdict: 'inconclusive', cause: 'once', message: sentence }] }
  }

  /** Leaves out the pets that another client changed since the check began. A value that returns is a list's own error. */
  async leaveOutChanged(): Promise<void> {
    const [list] = this.responses
    const findChange = () => (this.options.twin === undefined ? undefined : this.stock.compare(list?.json))
    const lists = [list?.json]
    for (let change = findChange(); change?.pet !== undefined; change = findChange()) {
      while (lists.length <= REPETITIONS) lists.push((await this.options.session.send(LIST)).json)
      const { petId } = change
      const pets = lists.map((json) => parsePets(json)?.find((pet) => pet.petId === petId))
      const values = [this.stock.pets.get(petId), ...pets].map((pet) => `${pet?.quantity} ${pet?.status}`)
      const changes = values.filter((value, index) => value !== values[index - 1])
      if (new Set(changes).size < changes.length) return
      this.#leaveOut(petId)
    }
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
  async #readAgain(difference: Difference): Promise<{ list: CheckResponse; findings: readonly Finding[] }> {
    const start = performance.now()
    let list = this.responses.pop() as MirroredResponse
    const { ours } = list
    const states: unknown[] = [difference.pet?.status]
    const isWrong = async (): Promise<boolean> => {
      list = { ...(await this.options.session.send(LIST)), ours }
      states.push(parsePets(list.json)?.find(({ petId }) => petId === difference.petId)?.status)
      return this.stock.compare(list.json) !== undefined
    }
    let findings: Finding[] = [difference]
    let rightAfterMs: number | undefined
    for (const pause of this.#isLost ? [] : PAUSES) {
      await sleep(pause)
      const isStill = await isWrong()
      const changes = states.filter((state, index) => index > 0 && state !== states[index - 1]).length
      if (difference.kind === 'status' && changes > 1) {
        this.#leaveOut(difference.petId)
        findings = []
        break
      }
      const ms = performance.now() - start
      if (!isStill) rightAfterMs ??= ms
      if (isStill || (difference.kind === 'status' && ms < OTHERS_MS)) continue
      const right = list
      findings.push((await isWrong()) || (await isWrong()) ? BACK : toLag(rightAfterMs ?? ms))
      list = right
      break
    }
    this.#waitedMs += performance.now() - start
    this.responses.push(list)
    return { list, findings }
  }
}

/** The cause of a list that is right when it is read again. */
export const LAG = 'lag'

const BACK = fail('cache', 'Read again, the list was right, and then the old value came back')

function toLag(ms: number): Finding {
  const time = ms < 1000 ? `${Math.ceil(ms / 20) * 20} ms` : `${Math.ceil(ms / 1000)} s`
  return fail(LAG, `Read again, the list was right within ${time}: it lags behind the updates, or is cached`)
}

import { type ChosenPets, choosePets, Quantities } from './choices.ts'
import { CaseEnd, type Finding, fail } from './report.ts'
import type { StockKeeper } from './restore.ts'
import { type CheckRequest, type CheckResponse, LIST } from './service.ts'
import type { Session } from './session.ts'
import {
  type Difference,
  findEchoFault,
  isDamage,
  type ListedPet,
  PAUSES,
  readQuantity,
  Stock,
  toBody,
} from './stock.ts'

export interface CaseOutcome {
  readonly status: number | undefined
  /** The place of the response with this status among those of the case. */
  readonly at?: number | undefined
  readonly findings: readonly Finding[]
}

type Update = Omit<CheckRequest, 'operation'>

/** How long to wait for late lists in one check, in milliseconds. */
const LONGEST_WAIT_MS = 10_000
/** How often an update, or a list, is repeated to see whether it changes another pet again. */
const REPETITIONS = 4
/** How many of the last updates are repeated. */
const MOST_REPEATED = 3

interface RunOptions {
  readonly session: Session
  readonly pets: readonly ListedPet[]
  /** The ids of all pets that may be updated. */
  readonly changeable: ReadonlySet<string>
  readonly keeper: StockKeeper
  readonly mayWrite: boolean
  /** How long to wait for a write to be undone, debounced or replayed, in milliseconds. @default 6,000 */
  readonly lateMs?: number | undefined
}

export class Run {
  readonly options: RunOptions
  /** The changeable pets that the cases may choose: the service accepts their quantities, and nobody else changes them. */
  readonly eligible: Set<string>
  readonly stock: Stock
  readonly responses: CheckResponse[] = []
  /** What other clients did meanwhile, as sentences. */
  readonly seen: string[] = []
  readonly quantities: Quantities
  /** The bounds of the accepted quantities that were found. */
  readonly found: { min?: number; max?: number } = {}
  /** Whether updates change other pets too. */
  hasSideEffects = false
  /** How long to wait to see an update undone, in milliseconds; 0 if none is. */
  undoneMs = 0
  /** A pet that is gone, new, or has a status that nobody set. It ends its case, and no other update is sent. */
  damage: Difference | undefined
  /** Whether an update did not appear at all: no other one is waited for. */
  #isLost = false
  #waitedMs = 0

  constructor(options: RunOptions) {
    const { pets, changeable } = options
    this.options = options
    this.eligible = new Set(changeable)
    this.stock = new Stock(pets)
    this.quantities = new Quantities(pets.filter(({ petId }) => changeable.has(petId)))
  }

  get chosen(): ChosenPets {
    return choosePets(this.options.pets, this.eligible)
  }

  /** @throws {CaseEnd} without a response, and for an update after damage. */
  async send(request: CheckRequest, afterMs = 0): Promise<CheckResponse> {
    const { session } = this.options
    const isUpdate = request.operation === 'updateInventory'
    if (afterMs > 0) await session.wait(afterMs)
    session.assertTime()
    if (isUpdate) this.#beforeUpdate(request)
    const beforeRepeat = isUpdate ? () => this.#assertNoDamage(request) : undefined
    const response = { ...(await session.send(request, beforeRepeat)), afterMs }
    const at = this.responses.push(response) - 1
    if (response.failure === undefined) return response
    const message = `The service sent no complete response: ${response.text}`
    throw new CaseEnd('failed', message, { cause: 'no response', at })
  }

  #beforeUpdate({ petId = '', body }: CheckRequest): void {
    this.#endOnDamage()
    this.options.keeper.beforeUpdate(petId, body)
    this.stock.note(petId, readQuantity(body))
  }

  /** Sends an update, and expects an accepted one in the next list. @returns also the errors of the echo. */
  async sendUpdate(update: Update): Promise<CaseOutcome> {
    const response = await this.send({ ...update, operation: 'updateInventory' })
    const { status, json } = response
    const at = this.responses.indexOf(response)
    const { petId = '', body } = update
    if (status !== 200) return { status, at, findings: [] }
    this.stock.update(petId, readQuantity(body))
    const pet = this.stock.pets.get(petId)
    const fault = pet && findEchoFault(json, pet)
    return { status, at, findings: fault === undefined ? [] : [{ ...fault, at }] }
  }

  /** Sends an update and checks its echo, and the list afterwards. */
  async update(update: Update): Promise<CaseOutcome> {
    if (this.#waitedMs > LONGEST_WAIT_MS)
      throw new CaseEnd('inconclusive', 'the lists lag so far behind the updates that nothing more can be said')
    const { petId = '', body } = update
    const { status, at, findings } = await this.sendUpdate(update)
    const original = this.options.pets.find((pet) => pet.petId === petId)
    // The stock of a pet whose quantity is refused could not be restored: it gets no other one.
    if (status === 400 && original !== undefined && body === toBody(original.quantity)) this.eligible.delete(petId)
    const after = await this.checkList()
    return { status, at, findings: this.stock.foreign.has(petId) ? after : [...findings, ...after] }
  }

  /** Reads the list and compares it with the expected one. For a difference, it finds out who or what causes it. */
  async checkList(afterMs = 0): Promise<readonly Finding[]> {
    const last = this.responses.findLastIndex(({ request }) => request.operation === 'listInventory')
    const updates = this.responses.slice(last + 1).map(({ request }) => request)
    const differences = await this.#readList(afterMs)
    const at = this.responses.length - 1
    if (differences.length > 0) this.undoneMs = Math.max(this.undoneMs, afterMs)
    const findings = await this.#explain(differences, updates)
    this.stock.adopt()
    return findings.map((finding) => ({ ...finding, at }))
  }

  /** @returns how the list differs from the expected one, damage first. */
  async #readList(afterMs = 0): Promise<readonly Difference[]> {
    return this.stock.compare(await this.send(LIST, afterMs))
  }

  /** Tells a late or cached list, a lost update, a side effect, damage and another client's change apart. */
  async #explain(differences: readonly Difference[], updates: readonly CheckRequest[]): Promise<readonly Finding[]> {
    const [difference] = differences
    if (difference === undefined) return []
    const { petId, kind } = difference
    const damage = this.#findDamage(differences, updates)
    if (damage !== undefined) return this.#stopUpdates(damage)
    const isSent = this.#isSent(difference, updates)
    // An update that got no response may have been applied only now.
    const mayBeOthers = kind === 'quantity' && (!isSent || this.options.session.lastUnconfirmedMs > 0)
    const isUpdated = updates.some((each) => each.petId === petId)
    if (mayBeOthers && !this.hasSideEffects) {
      const recurring = await this.#repeat(updates)
      // Another client seldom changes two pets between two lists.
      const isOnce = isUpdated || differences.length > 1
      if (recurring.length === 0) return isOnce ? [toOnce(difference)] : this.#leaveOut(petId)
      if (recurring.some(isDamage)) return this.#explain(recurring, updates)
    }
    // An update may have got to another pet.
    this.options.keeper.touch([difference, ...differences.filter((each) => this.#isSent(each, updates))])
    this.hasSideEffects ||= kind === 'quantity' && !isUpdated
    return (isSent && (await this.#readAgain(difference))) || [difference]
  }

  /** Whether what is listed comes from this check: the pet had it before, or an update had it. */
  #isSent({ petId, kind, is }: Difference, updates: readonly CheckRequest[]): boolean {
    if (kind === 'status') return updates.some(({ body }) => body?.includes(`"status":${JSON.stringify(is?.status)}`))
    if (kind !== 'quantity') return kind === 'list'
    const isOld = this.stock.hadQuantity(petId, is?.quantity)
    return isOld || updates.some(({ body }) => readQuantity(body) === is?.quantity)
  }

  /**
   * Repeats updates, each after another one: what they cause, they cause again, and nothing else does in the same time.
   * @returns what they cause.
   */
  async #repeat(updates: readonly CheckRequest[]): Promise<readonly Difference[]> {
    const [{ petId = '' } = {}] = updates
    let longestMs = 0
    let differences: readonly Difference[] = []
    for (let left = REPETITIONS; left > 0; left -= 1) {
      this.stock.adopt()
      const start = performance.now()
      if (this.eligible.has(petId)) await this.sendUpdate({ petId, body: toBody(this.quantities.next()) })
      for (const update of updates.slice(-MOST_REPEATED)) await this.sendUpdate(update)
      longestMs = Math.max(longestMs, performance.now() - start)
      differences = await this.#readList()
      if (differences.length === 0 || differences.some(isDamage)) return differences
    }
    for (let left = REPETITIONS; left > 0; left -= 1) {
      this.stock.adopt()
      if ((await this.#readList(longestMs)).length > 0) return []
    }
    return differences
  }

  /** An update without a response may have done damage, and may do more if it is repeated. */
  async #assertNoDamage(request: CheckRequest): Promise<void> {
    const damage = this.#findDamage(await this.#readList(), [request])
    if (damage !== undefined) await this.#stopUpdates(damage)
    this.#endOnDamage()
  }

  #endOnDamage(): void {
    if (this.damage !== undefined) throw new CaseEnd('failed', this.damage.message, this.damage)
  }

  #findDamage(differences: readonly Difference[], updates: readonly CheckRequest[]): Difference | undefined {
    return differences.find((each) => isDamage(each) && !this.#isSent(each, updates))
  }

  /** Ends all updates, unless the list was only late. */
  async #stopUpdates(damage: Difference): Promise<readonly Finding[]> {
    const at = this.responses.length - 1
    const findings = await this.#readAgain(damage)
    if (findings !== undefined) return findings
    this.damage = { ...damage, at }
    this.hasSideEffects = true
    this.options.keeper.touch([damage])
    return [this.damage]
  }

  /** Another client changes a pet: the cases leave it alone. */
  #leaveOut(petId: string): readonly Finding[] {
    this.stock.foreign.add(petId)
    this.eligible.delete(petId)
    this.seen.push(`Another client changed pet ${petId}, which is left out from now on`)
    return []
  }

  /** Tells a list that lags from one that is wrong, about which it finds nothing. */
  async #readAgain({ petId, kind, ...finding }: Difference): Promise<readonly Finding[] | undefined> {
    const start = performance.now()
    const isRight = async (afterMs = 0): Promise<boolean> => (await this.#readList(afterMs)).length === 0
    for (const pause of this.#isLost ? [] : PAUSES) {
      if (!(await isRight(pause))) continue
      // No update has set it back.
      if (kind === 'status') return this.#leaveOut(petId)
      const ms = performance.now() - start
      this.#waitedMs += ms
      return [finding, (await isRight()) && (await isRight()) ? toLag(ms) : BACK]
    }
    this.#isLost = true
    return undefined
  }
}

/** The cause of a list that is right when it is read again. */
export const LAG = 'lag'

function toOnce({ message }: Difference): Finding {
  const sentence = `${message}; with the update repeated, it was right: another client, or an update without a response, may have changed the pet`
  return { verdict: 'inconclusive', cause: 'once', message: sentence }
}

const BACK = fail('cache', 'Read again, the list was right, and then the old value came back')

function toLag(ms: number): Finding {
  const time = ms < 1000 ? `${Math.ceil(ms / 20) * 20} ms` : `${Math.ceil(ms / 1000)} s`
  return fail(LAG, `Read again, the list was right within ${time}: it lags behind the updates, or is cached`)
}

import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeControls } from '../http/quote.ts'
import type { Credentials } from './keys.ts'
import { CaseEnd } from './report.ts'
import { type CheckedService, type CheckRequest, type CheckResponse, LIST, RESPONSE_LIMIT_MS } from './service.ts'
import { Session } from './session.ts'
import { type Difference, isDamage, type ListedPet, PAUSES, Stock, toBody, toMap, toStock } from './stock.ts'

/** What a check must restore. It writes this into a file before each update of another pet. */
export interface Originals {
  readonly url: string
  readonly inventory: readonly ListedPet[]
  /** The ids that no pet had, and that the check sent or saw later. */
  readonly absent: readonly string[]
}

type ChangedPet = Pick<Difference, 'petId' | 'was' | 'is'>

/** How the stock differs from the one before the check, and what was restored. */
export interface RestoredStock {
  /** The ids of the pets that were changed and are as before. */
  readonly restored: readonly string[]
  /** The pets that are changed, gone or created. */
  readonly left: readonly ChangedPet[]
  /** The same for pets that no update seems to have changed. */
  readonly others: readonly ChangedPet[]
  /** Why the list could not be read. Then `left` has the pets that may be changed. */
  readonly problem: string | undefined
  /** Whether the service could not be reached, or no longer took the key. */
  readonly isUnreachable: boolean
}

interface KeeperOptions {
  readonly service: CheckedService
  /** The stock before the check. */
  readonly originals: readonly ListedPet[]
  /** The pets that may be updated. */
  readonly changeable: ReadonlySet<string>
  /** Where to write the originals. @default nowhere */
  readonly file?: string | undefined
  /** How long to try while the service is down, limits its clients or rejects the key. @default 60_000 */
  readonly patienceMs?: number | undefined
  /** How long to wait for a service that undoes what it confirmed, in milliseconds. @default 300 */
  readonly lateMs?: number | undefined
}

/** How often to try. A service that loses updates, lags, or changes other pets, needs more than one attempt. */
const ATTEMPTS = 9

/** Keeps the original quantities of the pets that a check updates, and puts them back. */
export class StockKeeper {
  /** The ids that an update may have changed, removed or created. */
  readonly touched = new Set<string>()
  /** Whether any update was sent. */
  isNeeded = false
  readonly #options: KeeperOptions
  readonly #listed: ReadonlyMap<string, ListedPet>

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#listed = toMap(options.originals)
  }

  /** How long it takes at most to await an update and to restore the stock, in milliseconds. */
  get longestMs(): number {
    const { service, patienceMs = 60_000 } = this.#options
    return patienceMs + 3 * (service.responseLimitMs ?? RESPONSE_LIMIT_MS)
  }

  /** Notes a pet that an update may change, after its original is in the file. */
  beforeUpdate(petId: string, body: string | undefined): void {
    this.isNeeded = true
    if (body !== toBody(this.#listed.get(petId)?.quantity ?? '')) this.touch([{ petId }])
  }

  touch(pets: readonly Pick<ListedPet, 'petId'>[]): void {
    const { service, file } = this.#options
    if (pets.every(({ petId }) => this.touched.has(petId))) return
    for (const { petId } of pets) this.touched.add(petId)
    if (file === undefined) return
    const absent = [...this.touched].filter((petId) => !this.#listed.has(petId))
    const originals: Originals = { url: service.url, inventory: this.#listTouched(), absent }
    // Renamed, so that no kill leaves half a file.
    writeFileSync(`${file}.new`, `${JSON.stringify(originals)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  #listTouched(): readonly ListedPet[] {
    const { originals, changeable } = this.#options
    return originals.filter(({ petId }) => this.touched.has(petId) && changeable.has(petId))
  }

  /**
   * Puts the originals back one by one, and ends if that does more damage.
   * @param seen What the check saw. `undoneMs`: how long to wait until an update is undone. `lastUnconfirmedMs`: when an
   * update was given up that may still be applied.
   */
  async restore({
    foreign = new Set<string>(),
    hasSideEffects = false,
    undoneMs = 0,
    lastUnconfirmedMs = 0,
  } = {}): Promise<RestoredStock> {
    const { originals, changeable, patienceMs = 60_000, lateMs = 300 } = this.#options
    const { signal: _, ...service } = this.#options.service
    const { responseLimitMs = RESPONSE_LIMIT_MS } = service
    const end = performance.now() + patienceMs
    const timeout = AbortSignal.timeout(patienceMs + responseLimitMs)
    const session = new Session(service, { isRestoring: true, patienceMs, timeout })
    const stock = new Stock(originals)
    /** How the last list differs from the originals. */
    let changed: readonly Difference[] = []
    let problem: string | undefined
    /** Why the service could not be asked. */
    let obstacle: string | undefined

    const send = async (request: CheckRequest): Promise<CheckResponse | undefined> => {
      try {
        const response = await session.send(request)
        return response.failure === undefined ? response : undefined
      } catch (error) {
        if (!(error instanceof CaseEnd)) throw error
        obstacle ??= error.message
        return undefined
      }
    }
    const readList = async (): Promise<void> => {
      const list = await send(LIST)
      const found = list && stock.compare(list)
      problem = found?.[0]?.kind === 'list' ? found[0].message : undefined
      if (found === undefined) problem = obstacle ?? 'the response is not complete'
      else if (problem === undefined) changed = found
    }
    const isOurs = ({ petId }: ChangedPet): boolean =>
      this.touched.has(petId) || (hasSideEffects && !foreign.has(petId))
    const listDue = (touched = new Set<string>()): readonly ListedPet[] => {
      const due = changed.filter((each) => isOurs(each) && each.is !== undefined).map(({ petId }) => petId)
      const petIds = new Set([...due, ...touched])
      return originals.filter(({ petId }) => petIds.has(petId) && changeable.has(petId))
    }
    const listDamaged = (): readonly Difference[] => changed.filter(isDamage)

    await readList()
    const damagedBefore = new Set(listDamaged().map(({ petId }) => petId))
    /** Whether there is more damage in each list of three seconds. */
    const isWorse = async (): Promise<boolean> => {
      for (const pause of [0, ...PAUSES]) {
        await sleep(pause)
        await readList()
        if (listDamaged().every(({ petId }) => damagedBefore.has(petId))) return false
      }
      this.touch(listDamaged())
      return true
    }

    // Whatever the list shows now, it may lag.
    let due = listDue(this.touched)
    let isEnd = false
    for (let attempt = 1; attempt <= ATTEMPTS && !isEnd && performance.now() < end; ) {
      obstacle = undefined
      for (const pet of due) {
        const { is = pet } = changed.find(({ petId }) => petId === pet.petId) ?? {}
        // Only a service that takes a status from the body can have changed it in a way that an update undoes.
        const more = is.status === pet.status ? '' : `,"status":${JSON.stringify(pet.status)}`
        this.touch([pet])
        const body = `{"quantity":${pet.quantity}${more}}`
        const response = await send({ operation: 'updateInventory', petId: pet.petId, body })
        isEnd = await isWorse()
        if (isEnd || (response === undefined && performance.now() > end)) break
      }
      // The first repetitions are for a service that loses every second update.
      const landedMs = lastUnconfirmedMs && lastUnconfirmedMs + responseLimitMs - performance.now()
      const isRight = listDue().length === 0
      await sleep(isEnd || isRight ? Math.max(lateMs, undoneMs, landedMs) : 4 * 2 ** attempt)
      await readList()
      if (problem === undefined) {
        due = listDue()
        // A service that undoes updates undoes this one too.
        isEnd ||= due.length === 0 || (isRight && undoneMs > 0)
      }
      if (obstacle === undefined) attempt += 1
    }

    const touched = this.#listTouched()
    const left = problem === undefined ? changed.filter(isOurs) : touched.map((was) => ({ petId: was.petId, was }))
    const restored = touched.map(({ petId }) => petId).filter((petId) => left.every((each) => each.petId !== petId))
    const others = changed.filter((each) => !isOurs(each))
    return { restored, left, others, problem, isUnreachable: obstacle !== undefined }
  }
}

/** Puts back the quantities that a check could not restore at its end. */
export async function restoreOriginals(saved: Originals, options: Credentials): Promise<RestoredStock> {
  const { url, inventory: originals, absent } = saved
  const petIds = originals.map(({ petId }) => petId)
  const service = { ...options, url }
  const keeper = new StockKeeper({ service, originals, changeable: new Set(petIds), patienceMs: 3000 })
  keeper.touch([...petIds, ...absent].map((petId) => ({ petId })))
  // What other pets had is not in the file.
  return { ...(await keeper.restore()), others: [] }
}

export function isAsBefore({ problem, left }: RestoredStock): boolean {
  return problem === undefined && left.length === 0
}

/** What became of the stock, as sentences without the full stop. */
export function explainStock({ restored, left, others, problem }: RestoredStock): readonly string[] {
  const explain = ({ petId, was, is }: ChangedPet): string => {
    if (is === undefined)
      return `${problem === undefined ? 'Gone' : 'Perhaps changed'}: pet ${petId}, which had ${was && toStock(was)}`
    if (was === undefined) return `Created: pet ${petId}, which has ${toStock(is)}`
    return `Changed and not restored: pet ${petId} has ${toStock(is)}, and it had ${toStock(was)}`
  }
  return [
    ...(problem === undefined ? [] : [`The stock could not be read: ${problem}`]),
    ...(restored.length === 0 ? [] : [`Changed and restored: ${restored.map((petId) => `pet ${petId}`).join(', ')}`]),
    ...left.map(explain),
    ...others.map((pet) => `${explain(pet)} (by another client, as it seems)`),
  ]
}

/** What somebody at the terminal must know, as lines. */
export function explainRestored(stock: RestoredStock, file: string): string[] {
  // An update can neither set a status nor bring a pet back.
  const isHopeful =
    stock.problem !== undefined || stock.left.some(({ was, is }) => was && is && was.quantity !== is.quantity)
  const hint = `To put it back later, run with the same --api-key and --header: petstore-mock check --restore ${file}`
  return [...explainStock(stock).map((sentence) => `${sentence}.`), ...(isHopeful ? [hint] : [])].map(escapeControls)
}

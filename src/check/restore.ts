import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeControls } from '../http/quote.ts'
import type { Credentials } from './keys.ts'
import { CaseEnd } from './report.ts'
import {
  type CheckedService,
  type CheckRequest,
  type CheckResponse,
  createSession,
  LIST,
  RESPONSE_LIMIT_MS,
} from './service.ts'
import { type ExpectedPet, type ListedPet, parsePets, Stock, toBody, toMap } from './stock.ts'

/** The original stock, as a check writes it into a file before its first update. */
export interface Originals {
  readonly url: string
  readonly inventory: readonly ListedPet[]
}

export interface RestoredStock {
  /** The ids of the restored pets, in decimal form. */
  readonly petIds: readonly string[]
  /** What could not be restored, as a sentence. */
  readonly problem: string | undefined
  /** Whether the service could not be reached, or no longer took the key, so that nothing is known. */
  readonly isUnreachable: boolean
  /** The pets that are not as they were. `present` is unknown if the list could not be read. */
  readonly left: readonly { readonly original: ListedPet; readonly present: Partial<ExpectedPet> }[]
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
  /** The pets to restore: they got another quantity, or changed when another one did. */
  readonly touched: Set<string> = new Set()
  readonly #options: KeeperOptions
  readonly #listed: ReadonlyMap<string, ListedPet>
  /** The ids that were in a request, with its body: all others belong to others. */
  readonly #own = new Map<string, string | undefined>()
  #saved = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#listed = toMap(options.originals)
  }

  /** Notes a pet that an update may change, after its original is in the file. */
  beforeUpdate(petId: string, body: string | undefined): void {
    const { service, originals, file } = this.#options
    this.#own.set(petId, body)
    if (body !== toBody(this.#listed.get(petId)?.quantity ?? '')) this.touch(petId)
    // A broken service may update the pet that the body names.
    const [, named] = /"petId":(-?\d+)/.exec(body ?? '') ?? []
    if (named !== undefined) this.touch(named)
    if (this.#saved === this.touched.size || file === undefined) return
    this.#saved = this.touched.size
    const inventory = originals.filter((pet) => this.touched.has(pet.petId))
    // Renamed, so that no kill leaves half a file.
    writeFileSync(`${file}.new`, `${JSON.stringify({ url: service.url, inventory })}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  touch(petId: string): void {
    if (!this.#own.has(petId)) this.#own.set(petId, undefined)
    if (this.#listed.has(petId) && this.#options.changeable.has(petId)) this.touched.add(petId)
  }

  /**
   * @param stock What the check saw last.
   * @param lastUnconfirmedMs When an update was given up that may still be applied.
   */
  async restore(stock: Stock, { hasSideEffects = false, lastUnconfirmedMs = 0 } = {}): Promise<RestoredStock> {
    const { originals, changeable, patienceMs = 60_000, lateMs: undoneMs = 300 } = this.#options
    const { signal: _, ...service } = this.#options.service
    const isOurs = ({ petId }: ListedPet): boolean =>
      this.touched.has(petId) || (hasSideEffects && changeable.has(petId) && !stock.foreign.has(petId))
    let shown: Stock['pets'] = stock.pets
    const isLeft = (pet: ListedPet): boolean => {
      const present = shown.get(pet.petId)
      return present !== undefined && (present.quantity !== pet.quantity || present.status !== pet.status)
    }
    const session = createSession(service, { isRestoring: true })
    let end = 0
    /** Why the service could not be asked. */
    let obstacle: string | undefined
    const send = (request: CheckRequest): Promise<CheckResponse | undefined> =>
      session.send(request, end - performance.now()).catch((error: unknown) => {
        if (!(error instanceof CaseEnd)) throw error
        if (error.finding.verdict === 'inconclusive') obstacle ??= error.message
        return undefined
      })
    const readList = async (): Promise<string | undefined> => {
      const list = await send(LIST)
      if (list === undefined) return obstacle ?? 'The list could not be read'
      if (list.status === 200) shown = toMap(parsePets(list.json) ?? [])
      const isCompared = (petId: string): boolean => hasSideEffects || this.#own.has(petId)
      return new Stock(originals, stock.foreign).compare(list, isCompared)?.message
    }

    const putBack = async (): Promise<Pick<RestoredStock, 'problem' | 'isUnreachable'>> => {
      end = performance.now() + patienceMs
      let due = originals.filter(isOurs)
      for (let attempt = 1; ; ) {
        obstacle = undefined
        for (const { petId, quantity, status } of due) {
          const present: Partial<ExpectedPet> = shown.get(petId) ?? { status }
          // Only a service that takes a status from the body can have changed it in a way that an update undoes.
          const more = present.status === status ? '' : `,"status":${JSON.stringify(status)}`
          // A service that rounds ids may take those of the list for unknown, and update a pet by an id that is not listed.
          const isAlias = (id: string): boolean =>
            !this.#listed.has(id) && this.#own.get(id) === toBody(present.quantity ?? '')
          for (const id of [petId, ...Array.from(this.#own.keys()).filter(isAlias)])
            await send({ operation: 'updateInventory', petId: id, body: `{"quantity":${quantity}${more}}` })
        }
        const problem = await readList()
        const isUnreachable = obstacle !== undefined
        const isHopeless = isUnreachable ? performance.now() > end : attempt >= ATTEMPTS
        if (problem === undefined || isHopeless) return { problem, isUnreachable }
        due = originals.filter((pet) => isOurs(pet) && isLeft(pet))
        // The first repetitions are for a service that loses every second update.
        await sleep(4 * 2 ** attempt)
        if (!isUnreachable) attempt += 1
      }
    }

    let result = await putBack()
    const lateMs = lastUnconfirmedMs + (service.responseLimitMs ?? RESPONSE_LIMIT_MS)
    await sleep(Math.max(undoneMs, lastUnconfirmedMs && lateMs - performance.now()))
    if (result.problem === undefined && (await readList()) !== undefined) result = await putBack()
    const left = originals
      .filter((pet) => this.touched.has(pet.petId) && isLeft(pet))
      .map((original) => ({ original, present: shown.get(original.petId) ?? {} }))
    return { petIds: [...this.touched], ...result, left: result.problem === undefined ? [] : left }
  }
}

/** Puts back the quantities that a check could not restore at its end. */
export function restoreOriginals({ url, inventory }: Originals, options: Credentials): Promise<RestoredStock> {
  const petIds = inventory.map(({ petId }) => petId)
  const service = { ...options, url }
  const keeper = new StockKeeper({ service, originals: inventory, changeable: new Set(petIds), patienceMs: 3000 })
  for (const petId of petIds) keeper.touch(petId)
  return keeper.restore(new Stock([]))
}

/**
 * What somebody at the terminal must know, as lines.
 * @param file The originals.
 * @param isAsked Whether a success is reported too.
 */
export function explainRestored({ petIds, problem, left }: RestoredStock, file: string, isAsked: boolean): string[] {
  if (problem === undefined) return isAsked ? [`The stock of ${toPetNames(petIds)} was restored.`] : []
  const isStatusAlone = left.length > 0 && left.every(({ present, original }) => present.quantity === original.quantity)
  const hint = `To put it back later, run with the same --api-key and --header: petstore-mock check --restore ${file}`
  const lines = [`The stock of ${toPetNames(petIds)} could not be restored: ${problem}.`]
  for (const each of left) lines.push(`  ${explainLeft(each)}`)
  return [...lines, ...(isStatusAlone ? [] : [hint])].map(escapeControls)
}

export function explainLeft({ present, original }: RestoredStock['left'][number]): string {
  const isStatusAlone = present.quantity === original.quantity
  const [is, was] = isStatusAlone ? [present.status, original.status] : [present.quantity, original.quantity]
  return `pet ${original.petId}: present ${is ?? 'unknown'}, original ${was}`
}

function toPetNames(petIds: readonly string[]): string {
  return `pet${petIds.length === 1 ? '' : 's'} ${petIds.join(', ')}`
}

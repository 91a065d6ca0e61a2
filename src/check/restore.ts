import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeControls } from '../http/quote.ts'
import type { Credentials } from './keys.ts'
import { CaseEnd } from './report.ts'
import {
  ask,
  type CheckedService,
  type CheckRequest,
  type CheckResponse,
  createSession,
  LIST,
  RESPONSE_LIMIT_MS,
  type Session,
} from './service.ts'
import { type ListedPet, parsePets, Stock, toMap } from './stock.ts'

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
  readonly left: readonly { readonly petId: string; readonly present: string | undefined; readonly original: string }[]
  /** The ids of pets that another client changed too: its change is lost. */
  readonly overwritten: readonly string[]
  /** The ids of the pets with an update that may still be applied, because the service did not respond to it. */
  readonly unconfirmed: readonly string[]
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
}

/** How often to try. A service that loses updates, lags, or changes other pets, needs more than one attempt. */
const ATTEMPTS = 9
/** For a service that undoes what it confirmed. */
const LATE_MS = 300

/** Keeps the original quantities of the pets that a check updates, and puts them back. */
export class StockKeeper {
  /** The pets to restore: they were updated, or changed when another one was. */
  readonly touched: Set<string> = new Set()
  readonly #options: KeeperOptions
  readonly #listed: ReadonlyMap<string, ListedPet>
  /** The ids that were in a request, and the pets that changed with them: all others belong to others. */
  readonly #own = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #aliases = new Map<string, string>()
  #saved = 0

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#listed = toMap(options.originals)
  }

  /** Notes a pet that an update may change, after its original is in the file. */
  beforeUpdate(petId: string, body = ''): void {
    const { service, originals, file } = this.#options
    this.touch(petId)
    if (body !== `{"quantity":${this.#listed.get(petId)?.quantity}}`) this.#changed.add(petId)
    if (this.#saved === this.touched.size || file === undefined) return
    this.#saved = this.touched.size
    const inventory = originals.filter((pet) => this.touched.has(pet.petId))
    // Renamed, so that no kill leaves half a file.
    writeFileSync(`${file}.new`, `${JSON.stringify({ url: service.url, inventory })}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  touch(petId: string): void {
    this.#own.add(petId)
    if (this.#listed.has(petId) && this.#options.changeable.has(petId)) this.touched.add(petId)
  }

  /** Notes the id of an update that is not in the list, but updated a pet of it: services that round ids do that. */
  noteAlias(petId: string, updated: string): void {
    this.#aliases.set(updated, petId)
  }

  /**
   * @param stock What the check saw last.
   * @param unconfirmed The pets with an update that may still be applied, and when it was given up.
   */
  async restore(
    stock: Stock,
    { hasSideEffects, unconfirmed }: Pick<Session, 'unconfirmed'> & { hasSideEffects: boolean },
  ): Promise<RestoredStock> {
    const { originals, changeable, patienceMs = 60_000 } = this.#options
    const { signal: _, ...service } = this.#options.service
    const isOurs = (petId: string): boolean => !stock.foreign.has(petId) || this.#changed.has(petId)
    const restorable = new Set(Array.from(this.touched).filter(isOurs))
    let shown: Stock['pets'] = stock.pets
    const isLeft = (pet: ListedPet): boolean => {
      const present = shown.get(pet.petId)
      return present !== undefined && (present.quantity !== pet.quantity || present.status !== pet.status)
    }
    const session = createSession(service, { isRestoring: true })
    let end = performance.now() + patienceMs
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
      const pets = list?.status === 200 ? parsePets(list.json) : undefined
      if (pets === undefined) return obstacle ?? 'The list could not be read'
      shown = toMap(pets)
      if (hasSideEffects)
        for (const { petId } of originals.filter(isLeft)) if (changeable.has(petId)) restorable.add(petId)
      const isCompared = (petId: string): boolean => hasSideEffects || this.#own.has(petId)
      return new Stock(originals, stock.foreign).compare(list?.json, isCompared)?.message
    }

    const putBack = async (): Promise<Pick<RestoredStock, 'problem' | 'isUnreachable'>> => {
      end = performance.now() + patienceMs
      let due = originals.filter(({ petId }) => restorable.has(petId))
      for (let attempt = 1, pause = 25; ; ) {
        obstacle = undefined
        session.hangs.clear()
        for (const pet of due) {
          const { status } = shown.get(pet.petId) ?? {}
          // Only a service that takes a status from the body can have changed it in a way that an update undoes.
          const more = status === undefined || status === pet.status ? '' : `,"status":${JSON.stringify(pet.status)}`
          const request = { operation: 'updateInventory', body: `{"quantity":${pet.quantity}${more}}` } as const
          for (const petId of [pet.petId, this.#aliases.get(pet.petId)])
            if (petId !== undefined) await send({ ...request, petId })
        }
        const problem = await readList()
        due = originals.filter((pet) => restorable.has(pet.petId) && isLeft(pet))
        const isUnreachable = obstacle !== undefined
        const isLast = attempt >= ATTEMPTS || (due.length === 0 && attempt > 3)
        const isHopeless = isUnreachable ? performance.now() > end : isLast
        if (problem === undefined || isHopeless) return { problem, isUnreachable }
        if (!isUnreachable) attempt += 1
        // The first repetitions are for a service that loses every second update.
        if (attempt <= 3 && !isUnreachable) continue
        await sleep(pause)
        pause = Math.min(pause * 2, 5000)
      }
    }

    let result = await putBack()
    const lastMs = Math.max(...unconfirmed.values()) + (service.responseLimitMs ?? RESPONSE_LIMIT_MS)
    await sleep(Math.max(LATE_MS, lastMs - performance.now()))
    if (result.problem === undefined && (await readList()) !== undefined) result = await putBack()
    const left = originals
      .filter((pet) => this.touched.has(pet.petId) && isLeft(pet))
      .map(({ petId, quantity }) => ({ petId, present: shown.get(petId)?.quantity, original: quantity }))
    return {
      petIds: [...this.touched],
      ...result,
      left: result.problem === undefined ? [] : left,
      overwritten: Array.from(restorable).filter((petId) => stock.foreign.has(petId)),
      unconfirmed: Array.from(unconfirmed.keys()).filter((petId) => this.touched.has(petId)),
    }
  }
}

/** Puts back the quantities that a check could not restore at its end. */
export async function restoreOriginals({ url, inventory }: Originals, options: Credentials): Promise<RestoredStock> {
  const service = { ...options, url }
  const petIds = inventory.map(({ petId }) => petId)
  const first = await ask(service, LIST)
  // A key that is wrong from the start stays wrong.
  if (!('failure' in first) && [401, 403].includes(first.status)) {
    const problem = 'The service refuses the API key'
    return { petIds, problem, isUnreachable: true, left: [], overwritten: [], unconfirmed: [] }
  }
  const keeper = new StockKeeper({ service, originals: inventory, changeable: new Set(petIds) })
  for (const petId of petIds) keeper.touch(petId)
  return keeper.restore(new Stock([]), { hasSideEffects: false, unconfirmed: new Map() })
}

/**
 * What somebody at the terminal must know, as lines.
 * @param file The originals.
 * @param isAsked Whether a success is reported too.
 */
export function explainRestored(restored: RestoredStock, file: string, isAsked: boolean): readonly string[] {
  const { petIds, problem, left, overwritten, unconfirmed } = restored
  const lines: string[] = []
  if (problem === undefined && isAsked) lines.push(`The stock of ${toPetNames(petIds)} was restored.`)
  if (problem !== undefined) {
    lines.push(`The stock of ${toPetNames(petIds)} could not be restored: ${problem}.`)
    for (const { petId, present = 'unknown', original } of left)
      lines.push(`  pet ${petId}: present ${present}, original ${original}`)
    lines.push(`To put it back later, run with the same --api-key and --header: petstore-mock check --restore ${file}`)
  }
  if (overwritten.length > 0)
    lines.push(
      `Another client changed ${toPetNames(overwritten)} during the check, which the restored quantity overwrites.`,
    )
  if (unconfirmed.length > 0)
    lines.push(
      `An update of ${toPetNames(unconfirmed)} got no response, and the service may still apply it: look at the stock again later.`,
    )
  return lines.map(escapeControls)
}

function toPetNames(petIds: readonly string[]): string {
  return `pet${petIds.length === 1 ? '' : 's'} ${petIds.join(', ')}`
}

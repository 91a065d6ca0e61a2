import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type CheckedService, NoAnswer, type RawAnswer, RESPONSE_LIMIT_MS } from './ask.ts'
import type { RestoredStock } from './restored-stock.ts'
import { isUnavailable, parseBody, readRetryAfter, toRawRequest } from './session.ts'
import { type ListedPet, parsePets, Stock, toMap } from './stock.ts'

/** Keeps the original quantities of the pets that a check updates, and puts them back. */
export interface StockKeeper {
  /** The pets that were updated, or changed when another one was updated. */
  readonly touched: ReadonlySet<string>
  /** Notes a pet that an update may change, after its original is in the file. No other pet is put back. */
  beforeUpdate(petId: string, body?: string): void
  /** Notes that the stock of a pet may have changed, if the pet was in the list before the check. */
  touch(petId: string): void
  /** Notes the id of an update that is not in the list, but updated a pet of it: services that round ids do that. */
  noteAlias(petId: string, stock: Stock, quantity: string): void
  /** @param stock What the check saw last. */
  restore(
    stock: Stock,
    options: { changeable: ReadonlySet<string>; unconfirmed: readonly string[] },
  ): Promise<RestoredStock>
}

interface KeeperOptions {
  readonly service: CheckedService
  /** The stock before the check. */
  readonly originals: readonly ListedPet[]
  /** Where to write the originals. @default nowhere */
  readonly file?: string | undefined
  /** How long to try while the service is down, limits its clients or rejects the key. @default 60_000 */
  readonly patienceMs?: number | undefined
}

/** How often to try. A service that loses updates, lags, or changes other pets, needs more than one attempt. */
const ATTEMPTS = 9
/** For a service that undoes what it confirmed. */
const LATE_MS = 300

export function createStockKeeper({ service, originals, file, patienceMs = 60_000 }: KeeperOptions): StockKeeper {
  const { signal: _, ...patient } = service
  const touched = new Set<string>()
  /** The pets that got another quantity than their own. */
  const changed = new Set<string>()
  const aliases = new Map<string, string>()
  const listed = toMap(originals)
  const sent = new Set<string>()
  let saved = 0

  const touch = (petId: string): void => {
    if (listed.has(petId)) touched.add(petId)
  }
  const call = (operation: 'listInventory' | 'updateInventory', petId?: string, body?: string) => {
    const request = toRawRequest(
      { operation, ...(petId !== undefined && { petId }), ...(body && { body }) },
      service.apiKey,
    )
    return ask(patient, request).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error
      throw error
    })
  }
  const isBlocked = (answer: RawAnswer | NoAnswer): boolean =>
    isUnavailable(answer) || (!(answer instanceof NoAnswer) && [401, 403].includes(answer.status))

  /** The first difference from the originals that is the work of this check: others may change other pets meanwhile. */
  const compareOwn = (json: unknown, { foreign, hasSideEffects, sideEffects }: Stock): string | undefined => {
    const own = new Set([...touched, ...sent, ...sideEffects])
    return new Stock(originals, foreign).compare(json, { isCompared: (petId) => hasSideEffects || own.has(petId) })
  }

  /** Sends one update for each pet that is due, whatever becomes of the others. */
  async function send(
    due: readonly ListedPet[],
    { shown, isAdding }: { shown: ReadonlyMap<string, ListedPet>; isAdding: boolean },
  ): Promise<readonly (RawAnswer | NoAnswer)[]> {
    const answers: (RawAnswer | NoAnswer)[] = []
    for (const pet of due) {
      const present = shown.get(pet.petId)
      const quantity =
        isAdding && present !== undefined ? BigInt(pet.quantity) - BigInt(present.quantity) : pet.quantity
      // Only a service that takes a status from the body can have changed it in a way that an update undoes.
      const isOther = present !== undefined && present.status !== pet.status
      const body = `{"quantity":${quantity}${isOther ? `,"status":${JSON.stringify(pet.status)}` : ''}}`
      for (const petId of [pet.petId, aliases.get(pet.petId)]) {
        if (petId !== undefined) answers.push(await call('updateInventory', petId, body))
      }
    }
    return answers
  }

  /** Sends the original quantities until the list shows them. */
  async function putBack(
    stock: Stock,
    changeable: ReadonlySet<string>,
  ): Promise<{ problem: string | undefined; isUnreachable: boolean; shown: ReadonlyMap<string, ListedPet> }> {
    const restorable = new Set(Array.from(touched).filter((petId) => !stock.foreign.has(petId) || changed.has(petId)))
    let isAdding = false
    const end = performance.now() + patienceMs
    let shown: ReadonlyMap<string, ListedPet> = stock.pets
    let due = originals.filter(({ petId }) => restorable.has(petId))
    for (let attempt = 1, pause = 25; ; ) {
      const answers = await send(due, { shown, isAdding })
      const list = await call('listInventory')
      const json = toJson(list)
      const pets = list instanceof NoAnswer || list.status !== 200 ? undefined : parsePets(json)
      const problem = pets === undefined ? 'The list could not be read' : compareOwn(json, stock)
      const blocking = [...answers, list].find(isBlocked)
      const isOver = blocking === undefined ? attempt >= ATTEMPTS : performance.now() > end
      if (pets !== undefined) {
        const now = toMap(pets)
        for (const { petId, quantity } of due) {
          if (isSum(now.get(petId)?.quantity, [shown.get(petId)?.quantity, quantity])) isAdding = true
        }
        for (const pet of stock.hasSideEffects ? originals : []) {
          if (changeable.has(pet.petId) && isChanged(pet, now.get(pet.petId))) restorable.add(pet.petId)
        }
        due = originals.filter((pet) => restorable.has(pet.petId) && isChanged(pet, now.get(pet.petId)))
        shown = now
      }
      const isHopeless = due.length === 0 && blocking === undefined && attempt > 3
      if (problem === undefined || isOver || isHopeless)
        return { problem, isUnreachable: blocking !== undefined, shown }
      if (blocking === undefined) attempt += 1
      // The first repetitions are for a service that loses every second update.
      if (attempt > 3 || blocking !== undefined) {
        const asked = blocking === undefined ? undefined : readRetryAfter(blocking)
        await sleep(asked ?? pause)
        pause = Math.min(pause * 2, 5000)
      }
    }
  }

  return {
    touched,
    beforeUpdate(petId, body = '') {
      touch(petId)
      sent.add(petId)
      if (body !== `{"quantity":${listed.get(petId)?.quantity}}`) changed.add(petId)
      if (saved === touched.size || file === undefined) return
      saved = touched.size
      const inventory = originals.filter((pet) => touched.has(pet.petId))
      // Renamed, so that no kill leaves half a file.
      writeFileSync(`${file}.new`, `${JSON.stringify({ url: service.url, inventory })}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    touch,
    noteAlias(petId, stock, quantity) {
      const updated = Array.from(stock.pets.values()).find((pet) => pet.quantity === quantity)
      if (updated !== undefined) aliases.set(updated.petId, petId)
    },
    async restore(stock, { changeable, unconfirmed }) {
      let result = await putBack(stock, changeable)
      await sleep(unconfirmed.length > 0 ? (service.responseLimitMs ?? RESPONSE_LIMIT_MS) : LATE_MS)
      const isDifferent = compareOwn(toJson(await call('listInventory')), stock) !== undefined
      if (result.problem === undefined && isDifferent) result = await putBack(stock, changeable)
      const { problem, isUnreachable, shown } = result
      const left = originals
        .filter((pet) => touched.has(pet.petId) && isChanged(pet, shown.get(pet.petId)))
        .map(({ petId, quantity }) => ({ petId, present: shown.get(petId)?.quantity, original: quantity }))
      return { petIds: [...touched], problem, isUnreachable, left: problem === undefined ? [] : left, unconfirmed }
    },
  }
}

function toJson(answer: RawAnswer | NoAnswer): unknown {
  return answer instanceof NoAnswer ? undefined : parseBody(new TextDecoder().decode(answer.body))
}

function isChanged(before: ListedPet | undefined, after: ListedPet | undefined): boolean {
  if (before === undefined || after === undefined) return false
  return before.quantity !== after.quantity || before.status !== after.status
}

/** Whether a quantity other than the one sent is the sum of it and the one before. */
function isSum(shown: string | undefined, [before, sent]: readonly [string | undefined, string]): boolean {
  if (shown === undefined || before === undefined || shown === sent || sent === '0') return false
  return BigInt(shown) === BigInt(before) + BigInt(sent)
}

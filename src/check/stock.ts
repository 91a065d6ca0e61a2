import { isJsonNumber, parseExactJson } from '../http/exact-json.ts'
import { showValue } from '../http/quote.ts'
import { type Finding, fail } from './report.ts'
import type { CheckResponse } from './service.ts'

export interface ListedPet {
  /** In decimal form. */
  readonly petId: string
  /** In decimal form, or the whole entry as JSON if one of its numbers is none. */
  readonly quantity: string
  readonly status: unknown
}

/** The quantity is `undefined` if the service accepted a value that is no integer. */
export type ExpectedPet = Omit<ListedPet, 'quantity'> & { readonly quantity: string | undefined }

/** The pauses before a list that may lag is read again, for three seconds in all. */
export const PAUSES = [20, 80, 200, 300, 400, 1000, 1000]

/** Reads a list with exact numbers; `undefined` if it is not a list. */
export function parsePets(json: unknown): readonly ListedPet[] | undefined {
  return Array.isArray(json) ? json.flatMap((entry) => parseEntry(entry) ?? []) : undefined
}

/** An entry whose numbers are none is shown as it is, in place of its quantity. */
function parseEntry(json: unknown): ListedPet | undefined {
  const { petId, quantity, status } = Object(json) as Readonly<Record<string, unknown>>
  const id = isInteger(petId) || typeof petId === 'string' ? String(petId) : ''
  if (!isDecimal(id)) return undefined
  const isSound = isInteger(petId) && isInteger(quantity)
  return { petId: id, quantity: isSound ? String(quantity) : showValue(json, 100), status }
}

/** A pet with integers. */
export function parsePet(json: unknown): ListedPet | undefined {
  const pet = parseEntry(json)
  return isDecimal(pet?.quantity ?? '') ? pet : undefined
}

/** The pets that can be updated and restored: they are listed once, with an integer. */
export function listRestorable(pets: readonly ListedPet[]): readonly ListedPet[] {
  const entries = toMap(pets)
  return pets.filter(({ petId, quantity }) => isDecimal(quantity) && !entries.has(toEntry(petId, 2)))
}

/** Whether a text is an integer. */
export function isDecimal(text: string): boolean {
  return /^-?\d+$/.test(text)
}

/** Whether a value is a JSON integer, read exactly. */
function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** How a list differs from the expected one in a pet. */
export interface Difference extends Finding {
  /** `list`: it cannot be read. `gone` and `created` are about the whole pet. */
  readonly kind: 'list' | 'gone' | 'created' | 'status' | 'quantity'
  readonly petId: string
  /** `undefined` for a created pet. */
  readonly was?: ExpectedPet | undefined
  /** `undefined` for a pet that is gone. */
  readonly is?: ListedPet | undefined
}

/** Whether it is more than a wrong quantity, which an update can set right. */
export function isDamage({ kind }: Difference): boolean {
  return kind === 'gone' || kind === 'created' || kind === 'status'
}

/** The expected list, based on the responses so far. */
export class Stock {
  /** By id. */
  pets: Map<string, ExpectedPet>
  /** The last list that was compared. */
  #listed: Map<string, ExpectedPet>
  /** Every quantity that a pet had or was sent, as `petId quantity`. */
  readonly #past: Set<string>
  /** The pets that other clients change meanwhile, which are not compared. */
  readonly foreign = new Set<string>()

  constructor(pets: readonly ListedPet[]) {
    this.pets = toMap(pets)
    this.#listed = this.pets
    this.#past = new Set(pets.map(({ petId, quantity }) => `${petId} ${quantity}`))
  }

  update(petId: string, quantity: string | undefined): void {
    const pet = this.pets.get(petId)
    if (pet === undefined) return
    this.pets.set(petId, { ...pet, quantity })
  }

  /** Notes what a pet is sent, whatever the response: it may come into the list later. */
  note(petId: string, quantity: string | undefined): void {
    this.#past.add(`${petId} ${quantity}`)
  }

  hadQuantity(petId: string, quantity: string | undefined): boolean {
    return this.#past.has(`${petId} ${quantity}`)
  }

  /** How a list differs from the expected one, damage first. */
  compare({ status, json }: Pick<CheckResponse, 'status' | 'json'>): readonly Difference[] {
    const listed = status === 200 ? parsePets(json) : undefined
    if (listed === undefined) {
      this.#listed = this.pets
      const is = status === 200 ? 'is not a list of pets' : `is ${status} and should be 200`
      return [{ ...fail('next list', `The next list ${is}`), kind: 'list', petId: '' }]
    }
    const pets = toMap(listed)
    this.#listed = pets
    return [...new Set([...this.pets.keys(), ...pets.keys()])]
      .flatMap((petId) => comparePet(petId, this.pets.get(petId), pets.get(petId)) ?? [])
      .filter(({ petId }) => !this.foreign.has(petId))
      .sort((one, other) => Number(isDamage(other)) - Number(isDamage(one)))
  }

  /** Expects the last list from now on, so that one error fails only one case. */
  adopt(): void {
    this.pets = this.#listed
  }
}

function comparePet(
  petId: string,
  was: ExpectedPet | undefined,
  is: ListedPet | undefined,
  where = 'next list',
): Difference | undefined {
  const differ = (kind: Difference['kind'], message: string): Difference => {
    return { ...fail(`${where} ${kind}`, `The ${where} ${message}`), kind, petId, was, is }
  }
  if (is === undefined) return differ('gone', `lacks pet ${petId}`)
  const entry = is.petId === petId ? `a new pet, ${petId}` : `more than one entry for pet ${is.petId}`
  if (was === undefined) return differ('created', `has ${entry}`)
  const shows = (present: string, right: string): string => `shows ${present} for pet ${petId} and should show ${right}`
  if (toStatus(is) !== toStatus(was))
    return differ('status', `${shows(toStatus(is), toStatus(was))}: an update sets the quantity alone`)
  if ((was.quantity ?? is.quantity) === is.quantity) return undefined
  return isDecimal(is.quantity)
    ? differ('quantity', shows(`quantity ${is.quantity}`, `${was.quantity}`))
    : differ('quantity', `shows ${is.quantity} for pet ${petId}: petId and quantity must be integers`)
}

function toStatus({ status }: Pick<ListedPet, 'status'>): string {
  if (status === undefined) return 'no status'
  return `status ${typeof status === 'string' ? status : showValue(status, 40)}`
}

/** What a pet has, for the lists of changed pets. */
export function toStock(pet: ExpectedPet): string {
  return isDecimal(pet.quantity ?? '') ? `quantity ${pet.quantity} and ${toStatus(pet)}` : `${pet.quantity}`
}

/** By id. A second entry of a pet gets a name of its own. */
export function toMap(pets: readonly ListedPet[]): Map<string, ListedPet> {
  const map = new Map<string, ListedPet>()
  for (const pet of pets) {
    let name = pet.petId
    for (let entry = 2; map.has(name); entry += 1) name = toEntry(pet.petId, entry)
    map.set(name, pet)
  }
  return map
}

function toEntry(petId: string, entry: number): string {
  return `${petId} (entry ${entry})`
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
export function findEchoFault(json: unknown, expected: ExpectedPet): Finding | undefined {
  const pet = parsePet(json)
  if (pet === undefined) return fail('response', 'The response is not a pet of the inventory')
  if (pet.petId === expected.petId) return comparePet(pet.petId, expected, pet, 'response')
  return fail('response petId', `The response is pet ${pet.petId} and should be pet ${expected.petId}`)
}

export function toBody(quantity: number | string): string {
  return `{"quantity":${quantity}}`
}

/** The integer in a body, in decimal form; `5.0` and `5e0` are 5. `1e400` stays as it is, which no echo repeats. */
export function readQuantity(body: string | undefined): string | undefined {
  try {
    const { quantity } = parseExactJson(body ?? '') as { readonly quantity?: unknown }
    if (isJsonNumber(quantity)) return quantity.rawJSON
    return isInteger(quantity) ? String(quantity) : undefined
  } catch {
    return undefined
  }
}

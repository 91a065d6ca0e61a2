import { isJsonNumber, parseExactJson } from '../http/exact-json.ts'
import { showValue } from '../http/quote.ts'
import { type Finding, fail } from './report.ts'
import type { CheckResponse } from './service.ts'

export interface ListedPet {
  /** In decimal form, like the quantity. */
  readonly petId: string
  readonly quantity: string
  readonly status: unknown
}

/** The quantity is `undefined` if the service accepted a value that is no integer. */
export type ExpectedPet = Omit<ListedPet, 'quantity'> & { readonly quantity: string | undefined }

/** Reads a list with exact numbers; `undefined` if it is not a list. Invalid entries are skipped. */
export function parsePets(json: unknown): readonly ListedPet[] | undefined {
  return Array.isArray(json) ? json.map(parsePet).filter((pet) => pet !== undefined) : undefined
}

export function parsePet(json: unknown): ListedPet | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { petId, quantity, status } = json as Readonly<Record<string, unknown>>
  return isInteger(petId) && isInteger(quantity)
    ? { petId: String(petId), quantity: String(quantity), status }
    : undefined
}

/** Whether a value is a JSON integer, read exactly. */
function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

export interface Difference extends Finding {
  readonly kind: 'quantity' | 'status' | 'entries' | 'list'
  readonly petId: string
  /** The pet as it is listed, if only its quantity or status differs. */
  readonly pet?: ListedPet
}

/** The expected list, based on the responses so far. */
export class Stock {
  #pets: Map<string, ExpectedPet>
  /** Every quantity that a pet had or was sent, as `petId quantity`. */
  readonly #past: Set<string>
  /** The pets that other clients change meanwhile, which are not compared. */
  readonly foreign: Set<string>

  constructor(pets: readonly ListedPet[], foreign: ReadonlySet<string> = new Set()) {
    this.foreign = new Set(foreign)
    this.#pets = toMap(pets)
    this.#past = new Set(pets.map(({ petId, quantity }) => `${petId} ${quantity}`))
  }

  /** By id. */
  get pets(): ReadonlyMap<string, ExpectedPet> {
    return this.#pets
  }

  update(petId: string, quantity: string | undefined): void {
    const pet = this.#pets.get(petId)
    if (pet === undefined) return
    this.#pets.set(petId, { ...pet, quantity })
    this.#past.add(`${petId} ${quantity}`)
  }

  hadQuantity(petId: string, quantity: string | undefined): boolean {
    return this.#past.has(`${petId} ${quantity}`)
  }

  /** The first difference of a list from the expected one. */
  compare(
    { status, json }: Pick<CheckResponse, 'status' | 'json'>,
    isCompared: (petId: string) => boolean = () => true,
  ): Difference | undefined {
    if (status !== 200) return toDifference('list', '', `The next list is ${status} and should be 200`)
    const listed = parsePets(json)
    if (listed === undefined) return toDifference('list', '', 'The next list is not a list of pets')
    const entries = Map.groupBy(listed, ({ petId }) => petId)
    for (const petId of new Set([...this.#pets.keys(), ...entries.keys()])) {
      if (this.foreign.has(petId) || !isCompared(petId)) continue
      const [pet, ...others] = entries.get(petId) ?? []
      const expected = this.#pets.get(petId)
      const change = (message: string): Difference => toDifference('entries', petId, `The next list ${message}`)
      if (pet === undefined) return change(explainMissing(json, petId))
      if (expected === undefined) return change(`has a new pet, ${petId}`)
      if (others.length > 0) return change(`has ${1 + others.length} entries for pet ${petId}`)
      const difference = comparePet('next list', pet, expected)
      if (difference !== undefined) return difference
    }
    return undefined
  }

  /** Expects a list from now on, so that one error fails only one case. */
  adopt(json: unknown): void {
    const listed = parsePets(json)
    if (listed !== undefined) this.#pets = toMap(listed)
  }
}

/** An entry whose numbers are none is no pet. */
function explainMissing(json: unknown, petId: string): string {
  const entry = (json as readonly { readonly petId?: unknown }[]).find((each) => String(each?.petId) === petId)
  if (entry === undefined) return `lacks pet ${petId}`
  return `shows ${showValue(entry, 100)} for pet ${petId}: petId and quantity must be integers`
}

function toDifference(kind: Difference['kind'], petId: string, message: string): Difference {
  return { verdict: 'failed', cause: `next list ${kind}`, kind, petId, message }
}

function comparePet(where: string, pet: ListedPet, expected: ExpectedPet): Difference | undefined {
  const { petId, quantity, status } = pet
  const kind = status === expected.status ? 'quantity' : 'status'
  if (kind === 'quantity' && (expected.quantity ?? quantity) === quantity) return undefined
  const message = {
    quantity: `The ${where} shows quantity ${quantity} for pet ${petId} and should show ${expected.quantity}`,
    status: `The ${where} shows pet ${petId} as ${status}, and it was ${expected.status}: an update sets the quantity alone`,
  }[kind]
  return { ...toDifference(kind, petId, message), cause: `${where} ${kind}`, pet }
}

export function toMap(pets: readonly ListedPet[]): Map<string, ListedPet> {
  return new Map(pets.map((pet) => [pet.petId, pet]))
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
export function findEchoFault(json: unknown, expected: ExpectedPet): Finding | undefined {
  const pet = parsePet(json)
  if (pet === undefined) return fail('response', 'The response is not a pet of the inventory')
  if (pet.petId === expected.petId) return comparePet('response', pet, expected)
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

import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { cut, quote } from '../http/quote.ts'
import { type PetIdLike, type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../inventory/pet-status.ts'
import { createPetTable, type PetTable } from './pet-table.ts'

/** A named state: what a fixture file holds. */
export interface Fixture {
  /** Where editors find the schema. Ignored. */
  readonly $schema?: string
  /** What the state is for, in a sentence. */
  readonly description?: string
  /** The pets, in the order of the list. */
  readonly inventory: readonly FixtureItem[]
}

/** One pet of a fixture. A `petId` beyond ±(2^53−1) may be written as a number or as a string. */
export interface FixtureItem {
  readonly petId: PetIdLike
  readonly quantity: number
  readonly status: PetStatus
}

/** How many faults a message names, and how many are looked for: a file of a million pets can have as many. */
const MOST_LINES = 100
const MOST_PROBLEMS = 10_000

/** A fixture that cannot be used, with its faults named by place and reason; the message names the first hundred. */
export class FixtureError extends MockError {
  readonly problems: readonly string[]

  constructor(origin: string, problems: readonly string[], options?: ErrorOptions) {
    const lines = problems.slice(0, MOST_LINES).map((problem) => `${origin}: ${problem}`)
    const left = Math.min(problems.length, MOST_PROBLEMS) - lines.length
    super(
      'INVALID_FIXTURE',
      [
        ...lines,
        ...(left > 0 ? [`${origin}: and ${problems.length > MOST_PROBLEMS ? 'more than ' : ''}${left} more`] : []),
      ].join('\n'),
      options,
    )
    this.problems = problems
  }
}

/**
 * Reads a fixture, whole or not at all.
 * @param content The JSON text, or the object.
 * @param origin What the messages call it: a file's name.
 * @throws {FixtureError} naming every fault.
 */
export function parseFixture(content: unknown, origin: string): PetTable {
  const fixture = typeof content === 'string' ? parseJsonText(content, origin) : content
  const problems: string[] = []
  if (!isJsonObject(fixture)) throw new FixtureError(origin, [`must be a JSON object, got ${quote(fixture)}`])
  for (const name of Object.keys(fixture)) {
    if (problems.length > MOST_PROBLEMS) break
    if (!PROPERTIES.includes(name)) problems.push(toUnknown(cut(name), PROPERTIES))
  }
  const pets = parseInventory(fixture['inventory'], problems)
  if (problems.length > 0) throw new FixtureError(origin, problems)
  return pets
}

const PROPERTIES: readonly string[] = ['$schema', 'description', 'inventory']

/** @throws {FixtureError} where the text is no JSON. */
export function parseJsonText(text: string, origin: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
  }
}

/** Straight into a table: a list beside it would be as large again. */
function parseInventory(inventory: unknown, problems: string[]): PetTable {
  const pets = createPetTable()
  if (Array.isArray(inventory)) {
    const reading = { pets, problems, findFirst: createFinder(inventory) }
    for (const [index, item] of inventory.entries()) {
      if (problems.length > MOST_PROBLEMS) break
      parseItem(item, index, reading)
    }
    return pets
  }
  problems.push(
    inventory === undefined ? 'inventory: is required' : `inventory: must be an array, got ${quote(inventory)}`,
  )
  return pets
}

interface Reading {
  /** Those that were read. */
  readonly pets: PetTable
  readonly problems: string[]
  /** The index of the first item with that key. */
  findFirst(key: PetKey): number | undefined
}

/** The place is put into words where there is something to say of it: most items are good, and there are many. */
function parseItem(item: unknown, index: number, { pets, problems, findFirst }: Reading): void {
  if (!isJsonObject(item)) {
    problems.push(`inventory[${index}]: must be an object, got ${quote(item)}`)
    return
  }
  for (const name of Object.keys(item)) {
    if (problems.length > MOST_PROBLEMS) return
    if (!ITEM_PROPERTIES.includes(name)) problems.push(toUnknown(`inventory[${index}].${cut(name)}`, ITEM_PROPERTIES))
  }
  const { petId, quantity, status } = item
  const key = parsePetKey(petId)
  if (key === undefined) problems.push(toPetIdProblem(petId, `inventory[${index}]`))
  else if (pets.has(key))
    problems.push(`inventory[${index}].petId: ${key} is already used by inventory[${findFirst(key)}]`)
  if (!isSafeInteger(quantity)) problems.push(toProblem(quantity, `inventory[${index}].quantity`, QUANTITY))
  if (!isPetStatus(status)) problems.push(toProblem(status, `inventory[${index}].status`, STATUS))
  if (key === undefined) return
  // Also a faulty one, so that others of its id are named; -0 is the number 0.
  pets.put({ petId: key, quantity: isSafeInteger(quantity) ? quantity + 0 : 0, status: status as PetStatus })
}

/** Looks all keys up once, when the first one is asked for. */
function createFinder(inventory: readonly unknown[]): Reading['findFirst'] {
  let firsts: Map<PetKey | undefined, number> | undefined
  return (key) => {
    firsts ??= new Map(
      inventory
        .map((item, index) => [isJsonObject(item) ? parsePetKey(item['petId']) : undefined, index] as const)
        .reverse(),
    )
    return firsts.get(key)
  }
}

const ITEM_PROPERTIES: readonly string[] = ['petId', 'quantity', 'status']
const QUANTITY = 'an integer from -(2^53-1) to 2^53-1'
const STATUS = `one of ${PET_STATUSES.join(', ')}`

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function toPetIdProblem(petId: unknown, place: string): string {
  const isRounded = typeof petId === 'number' && Number.isInteger(petId)
  const hint = isRounded ? '; write it as a string, a number this large is rounded' : ''
  return toProblem(petId, `${place}.petId`, 'an int64 in decimal form') + hint
}

function toProblem(value: unknown, place: string, wanted: string): string {
  return value === undefined ? `${place}: is required` : `${place}: must be ${wanted}, got ${quote(value)}`
}

function toUnknown(place: string, known: readonly string[]): string {
  return `${place}: is not known; known are ${known.join(', ')}`
}

import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { cut, quote } from '../http/quote.ts'
import { type PetIdLike, type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../inventory/pet-status.ts'
import { createPetTable, type PetTable } from './pet-table.ts'

/** A named inventory, as in a fixture file. */
export interface Fixture {
  /** The address of the JSON schema, for editors. The mock ignores it. */
  readonly $schema?: string
  /** One sentence about the purpose of the fixture. */
  readonly description?: string
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly FixtureItem[]
}

/** One pet of a fixture. A `petId` beyond ±(2^53−1) may be written as a number or as a string. */
export interface FixtureItem {
  readonly petId: PetIdLike
  readonly quantity: number
  readonly status: PetStatus
}

/** Limits on the problems in a message and on those collected: a file of a million pets can have a million. */
const MOST_LINES = 100
const MOST_PROBLEMS = 10_000

/** The error for an invalid fixture. Each problem names its place and reason; the message lists the first 100. */
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
 * Parses a fixture. One problem anywhere rejects the whole fixture.
 * @param content JSON text or an object.
 * @param origin The name of the fixture in messages, such as its file name.
 * @throws {FixtureError} naming every problem.
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

/** @throws {FixtureError} when the text is not JSON. */
export function parseJsonText(text: string, origin: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
  }
}

/** Fills the table directly: an intermediate list would double the memory. */
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
  /** The pets parsed so far. */
  readonly pets: PetTable
  readonly problems: string[]
  /** The index of the first item with that key. */
  findFirst(key: PetKey): number | undefined
}

/** Formats an item's place only when it has a problem: a fixture may have a million valid items. */
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
  // An invalid item is stored too, so that duplicates of its id are found. `+ 0` turns -0 into 0.
  pets.put({ petId: key, quantity: isSafeInteger(quantity) ? quantity + 0 : 0, status: status as PetStatus })
}

/** Indexes all keys at the first lookup. */
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
  const hint = Number.isInteger(petId) ? '; write it as a string, because a number this large is rounded' : ''
  return toProblem(petId, `${place}.petId`, 'an int64 in decimal form') + hint
}

function toProblem(value: unknown, place: string, wanted: string): string {
  return value === undefined ? `${place}: is required` : `${place}: must be ${wanted}, got ${quote(value)}`
}

function toUnknown(place: string, known: readonly string[]): string {
  return `${place}: is not known; known are ${known.join(', ')}`
}

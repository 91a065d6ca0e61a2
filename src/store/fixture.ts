import * as v from 'valibot'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { must, object, type Problem, read, type Schema, string } from '../http/schema.ts'
import { PET_KEY, type PetIdLike, type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUS, type PetStatus } from '../inventory/pet-status.ts'
import { QUANTITY } from '../inventory/stock-update.ts'
import { createPetTable, type Pet, type PetTable } from './pet-table.ts'

/** A named inventory, as in a fixture file. */
export interface Fixture {
  /** The address of the JSON schema, for editors. The mock ignores it. */
  readonly $schema?: string
  /** One sentence about the purpose of the fixture. */
  readonly description?: string
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly FixtureItem[]
}

/** A fixture with the type of an imported JSON file (`import pets from './pets.json'`), whose statuses are strings. */
export interface ImportedFixture extends Omit<Fixture, 'inventory'> {
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly (Omit<FixtureItem, 'status'> & { readonly status: string })[]
}

/** One pet of a fixture. A `petId` beyond ±(2^53−1) may be written as a number or as a string. */
export interface FixtureItem {
  /** An int64, used once in a fixture. Beyond ±(2^53−1), pass a bigint or a string. */
  readonly petId: PetIdLike
  /** The number in stock, an integer from -(2^53−1) to 2^53−1. */
  readonly quantity: number
  /** One of `available`, `pending` and `sold`. */
  readonly status: PetStatus
}

/** Limits on the problems in a message and on those collected: a file of a million pets can have a million. */
const MOST_LINES = 100
const MOST_PROBLEMS = 10_000

/** The error for an invalid fixture. Each problem names its path and reason; the message lists the first 100. */
export class FixtureError extends MockError {
  readonly problems: readonly string[]

  constructor(origin: string, problems: readonly string[], options?: ErrorOptions) {
    super('INVALID_FIXTURE', listProblems(origin, problems), options)
    this.problems = problems
  }
}

/** A line for each of the first 100 problems. @param origin The name of the file or value. */
export function listProblems(origin: string, problems: readonly string[]): string {
  const lines = problems.slice(0, MOST_LINES).map((problem) => `${origin}: ${problem}`)
  const left = Math.min(problems.length, MOST_PROBLEMS) - lines.length
  if (left > 0) lines.push(`${origin}: and ${problems.length > MOST_PROBLEMS ? 'more than ' : ''}${left} more`)
  return lines.join('\n')
}

/** What to do with a list, such as a pasted response of `GET /v1/inventory`. Empty for anything else. */
export function explainList(value: unknown): string {
  return Array.isArray(value) ? '. Wrap it: { "inventory": [...] }' : ''
}

/**
 * Checks for objects that stand for a file: they are not read.
 * @throws {FixtureError}
 */
export function assertFixtureSource(source: unknown, origin: string): void {
  if (source instanceof Promise) throw new FixtureError(origin, ['a promise is not read. Await it'])
  if (source instanceof URL)
    throw new FixtureError(origin, [
      "a URL is not read. Pass the file's content, such as readFileSync(url, 'utf8'), or an object",
    ])
  if (ArrayBuffer.isView(source))
    throw new FixtureError(origin, [
      "bytes are not read. Pass a text, such as readFileSync(file, 'utf8'), or an object",
    ])
}

/** One pet of a fixture. @internal */
export const PET: Schema<Pet> = object<Pet>({ petId: PET_KEY, quantity: QUANTITY, status: PET_STATUS })

function toSchema<Inventory>(
  inventory: Schema<Inventory>,
): Schema<Omit<Fixture, 'inventory'> & { inventory: Inventory }> {
  return object<Omit<Fixture, 'inventory'> & { inventory: Inventory }>({
    $schema: v.optional(string),
    description: v.optional(v.pipe(string, v.description('One sentence about the purpose of the fixture.'))),
    inventory: v.pipe(
      inventory,
      v.description('The pets, in the order in which the service lists them. Each petId may occur only once.'),
    ),
  })
}

/** A whole fixture. `fixture.schema.json` is generated from it. @internal */
export const FIXTURE: Schema<unknown> = toSchema(v.array(PET))

/** A fixture whose pets are not validated yet. `readPet` does that: a million pets take 1.3 s, and 2.2 s with PET. */
const FRAME = toSchema(v.custom<readonly unknown[]>(Array.isArray, must('an array')))

/** Validates like PET, but faster. Returns `undefined` for an invalid pet, without the reason. */
export function readPet(petId: unknown, quantity: unknown, status: unknown): Pet | undefined {
  const key = parsePetKey(petId)
  if (key === undefined || !Number.isSafeInteger(quantity) || !isPetStatus(status)) return undefined
  // `+ 0` turns -0 into 0.
  return { petId: key, quantity: (quantity as number) + 0, status }
}

/**
 * Parses a fixture. One problem anywhere rejects the whole fixture.
 * @param content JSON text or an object.
 * @param origin The name of the fixture in messages, such as its file name.
 * @throws {FixtureError} naming every problem.
 */
export function parseFixture(content: unknown, origin: string): PetTable {
  const fixture = typeof content === 'string' ? parseJsonText(content, origin) : content
  const { problems: wrong = [] } = read(FRAME, fixture)
  const problems = wrong.map((problem) => toLine(problem, '') + explainList(fixture))
  const inventory = isJsonObject(fixture) ? fixture['inventory'] : []
  const pets = parseInventory(Array.isArray(inventory) ? inventory : [], problems)
  if (problems.length > 0) throw new FixtureError(origin, problems)
  return pets
}

/** @throws {FixtureError} when the text is not JSON. */
export function parseJsonText(text: string, origin: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    const hint = COMMENT.test(text) ? '. Comments are read only from .jsonc and .yaml files, by the command line' : ''
    throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}${hint}`], { cause })
  }
}

/** At the beginning of a line, or behind a value. */
const COMMENT = /(?:^|[\s,[{}\]])(?:\/[/*]|# )/m

/** Fills the table directly: an intermediate list would double the memory. */
function parseInventory(inventory: readonly unknown[], problems: string[]): PetTable {
  const pets = createPetTable()
  const findFirst = createFinder(inventory)
  for (const [index, item] of inventory.entries()) {
    if (problems.length > MOST_PROBLEMS) break
    const pet = readItem(item) ?? explainItem(item, `inventory[${index}]`, problems)
    if (pet === undefined) continue
    if (pets.has(pet.petId))
      problems.push(`inventory[${index}].petId: ${pet.petId} is already used by inventory[${findFirst(pet.petId)}]`)
    pets.put(pet)
  }
  return pets
}

function readItem(item: unknown): Pet | undefined {
  if (!isJsonObject(item) || Object.keys(item).length !== 3) return undefined
  return readPet(item['petId'], item['quantity'], item['status'])
}

/**
 * Adds the problems of an item. Returns a placeholder if at least the id is valid, so that duplicates of it are found.
 */
function explainItem(item: unknown, path: string, problems: string[]): Pet | undefined {
  const { problems: wrong = [], output } = { output: undefined, ...read(PET, item) }
  problems.push(...wrong.map((problem) => toLine(problem, path)))
  const petId = isJsonObject(item) ? parsePetKey(item['petId']) : undefined
  return output ?? (petId === undefined ? undefined : { petId, quantity: 0, status: 'sold' })
}

function toLine({ path, clause }: Problem, outer: string): string {
  const whole = outer + (path === '' || outer === '' ? path : `.${path}`)
  return `${whole === '' ? '' : `${whole}: `}${clause.replace(/\.$/, '')}`
}

/** Indexes all keys at the first lookup. */
function createFinder(inventory: readonly unknown[]): (key: PetKey) => number | undefined {
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

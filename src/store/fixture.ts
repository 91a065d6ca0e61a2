import * as v from 'valibot'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { must, object, type Problem, read, type Schema, string } from '../http/schema.ts'
import { PET, type PetIdLike, type PetKey, type PetStatus, readPet } from '../inventory/pet.ts'
import { PetTable } from './pet-table.ts'

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

/** One pet of a fixture. */
export interface FixtureItem {
  /** An int64, used once in a fixture. Beyond ±(2^53−1), a bigint or a string, or in JSON text a number. */
  readonly petId: PetIdLike
  /** The number in stock, an integer from -(2^53−1) to 2^53−1. */
  readonly quantity: number
  /** One of `available`, `pending` and `sold`. */
  readonly status: PetStatus
}

/** Of a fixture: a file of a million pets can have a million. */
const MOST_PROBLEMS = 100

/** The error for an invalid fixture. It lists the first 100 problems, each with its path and reason. */
export class FixtureError extends MockError {
  readonly problems: readonly string[]

  constructor(origin: string, problems: readonly string[], options?: ErrorOptions) {
    const shown = problems.length > MOST_PROBLEMS ? [...problems.slice(0, MOST_PROBLEMS), 'and more'] : problems
    super('INVALID_FIXTURE', shown.map((problem) => `${origin}: ${problem}`).join('\n'), options)
    this.problems = problems.slice(0, MOST_PROBLEMS)
  }
}

/** What to do with a value that is no fixture, such as a pasted response of `GET /v1/inventory`. */
export function explainSource(value: unknown): string {
  if (Array.isArray(value)) return '. Wrap it: { "inventory": [...] }'
  if (value instanceof Promise) return '. Await it'
  return ArrayBuffer.isView(value) || value instanceof URL ? ". Pass the file's text: readFileSync(file, 'utf8')" : ''
}

const LONGEST_DESCRIPTION = 4096

function toSchema(inventory: Schema<readonly unknown[]>): Schema<Record<keyof Fixture, unknown>> {
  return object<Record<keyof Fixture, unknown>>({
    $schema: v.optional(string),
    description: v.optional(
      v.pipe(
        string,
        v.maxLength(LONGEST_DESCRIPTION, must(`at most ${LONGEST_DESCRIPTION} characters`)),
        v.description('One sentence about the purpose of the fixture.'),
      ),
    ),
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

/**
 * Parses a fixture, JSON text or an object. One problem anywhere rejects the whole fixture.
 * @param origin The name of the fixture in messages, such as its file name.
 * @throws {FixtureError} naming every problem.
 */
export function parseFixture(content: unknown, origin: string): PetTable {
  const fixture = typeof content === 'string' ? parseJsonText(content, origin) : content
  const { problems: wrong = [] } = read(FRAME, fixture)
  const inventory = isJsonObject(fixture) ? fixture['inventory'] : []
  const { pets, problems } = readPets(Array.isArray(inventory) ? inventory : [], 'inventory')
  problems.unshift(...wrong.map((problem) => toLine(problem, '') + explainSource(fixture)))
  if (problems.length > 0) throw new FixtureError(origin, problems)
  return pets
}

/**
 * Reads a list of pets, or names its problems.
 * @param place The path of the list in messages.
 */
export function readPets(items: readonly unknown[], place: string): { pets: PetTable; problems: string[] } {
  const pets = new PetTable()
  const problems: string[] = []
  const places = new Map<PetKey, number>()
  for (const [index, item] of items.entries()) {
    if (problems.length > MOST_PROBLEMS) break
    const hasAll = isJsonObject(item) && Object.keys(item).length === 3
    const pet = hasAll ? readPet(item['petId'], item['quantity'], item['status']) : undefined
    const first = pet && places.get(pet.petId)
    if (pet === undefined) {
      problems.push(...(read(PET, item).problems ?? []).map((problem) => toLine(problem, `${place}[${index}]`)))
    } else if (first === undefined) {
      pets.put(pet)
      places.set(pet.petId, index)
    } else problems.push(`${place}[${index}].petId: ${pet.petId} is already used by ${place}[${first}]`)
  }
  return { pets, problems }
}

/** A byte order mark is dropped, as in files. @throws {FixtureError} when the text is not JSON. */
export function parseJsonText(text: string, origin: string): unknown {
  try {
    return parseExactJson(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
  }
}

function toLine({ path, clause }: Problem, outer: string): string {
  const whole = outer + (path === '' || outer === '' ? path : `.${path}`)
  return `${whole === '' ? '' : `${whole}: `}${clause.replace(/\.$/, '')}`
}

import { parseExactJson } from '../contract/exact-json.ts'
import { MockError } from '../contract/mock-error.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../contract/pet-status.ts'
import { quote } from '../contract/quote.ts'
import { isPetKey, type PetIdLike, type PetKey } from '../inventory/pet-id.ts'
import type { Pet } from './pet-table.ts'

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

/** A fixture that cannot be used, with every fault in it named by place and reason. */
export class FixtureError extends MockError {
  readonly problems: readonly string[]

  constructor(origin: string, problems: readonly string[], options?: ErrorOptions) {
    super('INVALID_FIXTURE', problems.map((problem) => `${origin}: ${problem}`).join('\n'), options)
    this.problems = problems
  }
}

/**
 * Reads a fixture, whole or not at all.
 * @param content The JSON text, or the object.
 * @param origin What the messages call it: a file's name.
 * @throws {FixtureError} naming every fault.
 */
export function parseFixture(content: unknown, origin: string): readonly Pet[] {
  const fixture = typeof content === 'string' ? parseJsonText(content, origin) : content
  const problems: string[] = []
  if (!isRecord(fixture)) throw new FixtureError(origin, [`must be a JSON object, got ${quote(fixture)}`])
  checkProperties(fixture, ['$schema', 'description', 'inventory'], '', problems)
  const pets = parseInventory(fixture['inventory'], problems)
  if (problems.length > 0) throw new FixtureError(origin, problems)
  return pets
}

/** @throws {FixtureError} where the text is no JSON. */
export function parseJsonText(text: string, origin: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new FixtureError(origin, [`is not JSON: ${(cause as Error).message}`], { cause })
  }
}

function parseInventory(inventory: unknown, problems: string[]): Pet[] {
  if (!Array.isArray(inventory)) {
    problems.push(
      inventory === undefined ? 'inventory: is required' : `inventory: must be an array, got ${quote(inventory)}`,
    )
    return []
  }
  const places = new Map<PetKey, number>()
  return inventory.map((item: unknown, index) => parseItem(item, index, { places, problems }))
}

function parseItem(
  item: unknown,
  index: number,
  { places, problems }: { places: Map<PetKey, number>; problems: string[] },
): Pet {
  const place = `inventory[${index}]`
  if (!isRecord(item)) {
    problems.push(`${place}: must be an object, got ${quote(item)}`)
    return NO_PET
  }
  checkProperties(item, ['petId', 'quantity', 'status'], `${place}.`, problems)
  const { petId, quantity, status } = item
  const key = toFixtureKey(petId)
  if (key === undefined) problems.push(toPetIdProblem(petId, place))
  const earlier = key === undefined ? undefined : places.get(key)
  if (earlier !== undefined) problems.push(`${place}.petId: ${key} is already used by inventory[${earlier}]`)
  if (key !== undefined && earlier === undefined) places.set(key, index)
  if (!Number.isSafeInteger(quantity))
    problems.push(toProblem(quantity, `${place}.quantity`, 'an integer from -(2^53-1) to 2^53-1'))
  if (!isPetStatus(status)) problems.push(toProblem(status, `${place}.status`, `one of ${PET_STATUSES.join(', ')}`))
  return { petId: key ?? '', quantity: (quantity as number) + 0, status: status as PetStatus }
}

const NO_PET: Pet = { petId: '', quantity: 0, status: 'sold' }

/** `undefined` for what is no int64; a number must be exact, since one that was rounded would be another pet. */
function toFixtureKey(petId: unknown): PetKey | undefined {
  const isExact = typeof petId === 'string' || typeof petId === 'bigint' || Number.isSafeInteger(petId)
  const text = Object.is(petId, -0) ? '0' : String(petId)
  return isExact && isPetKey(text) ? text : undefined
}

function toPetIdProblem(petId: unknown, place: string): string {
  const isRounded = typeof petId === 'number' && Number.isInteger(petId)
  const hint = isRounded ? '; write it as a string, a number this large is rounded' : ''
  return toProblem(petId, `${place}.petId`, 'an int64 in decimal form') + hint
}

function toProblem(value: unknown, place: string, wanted: string): string {
  return value === undefined ? `${place}: is required` : `${place}: must be ${wanted}, got ${quote(value)}`
}

function checkProperties(
  value: Record<string, unknown>,
  known: readonly string[],
  place: string,
  problems: string[],
): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) problems.push(`${place}${name}: is not known; known are ${known.join(', ')}`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

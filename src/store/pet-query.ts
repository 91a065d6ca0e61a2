// Only this file and pet-table.ts import @mswjs/data. The query language and its engine come from the library, but not
// `findMany`: it queries the library's own table, not the layers of a sandbox.

import { compileQuery } from '@mswjs/data/lib/query/compileQuery.js'
import { paginateResults } from '@mswjs/data/lib/query/paginateResults.js'
import { sortResults } from '@mswjs/data/lib/query/sortResults.js'
import { assertKnown } from '../http/assert-known.ts'
import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import { type PetIdLike, parsePetKey, toPetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../inventory/pet-status.ts'
import type { Pet } from './pet-table.ts'

/** Conditions on a number. All of them must hold. */
export interface NumberQuery<Value = number> {
  readonly equals?: Value
  readonly notEquals?: Value
  readonly gt?: Value
  readonly gte?: Value
  readonly lt?: Value
  readonly lte?: Value
  /** Bounds are inclusive. */
  readonly between?: readonly [Value, Value]
  readonly notBetween?: readonly [Value, Value]
  readonly in?: readonly Value[]
  readonly notIn?: readonly Value[]
}

/** Conditions on a pet's status. All of them must hold. */
export interface StatusQuery {
  readonly equals?: PetStatus
  readonly notEquals?: PetStatus
  readonly in?: readonly PetStatus[]
  readonly notIn?: readonly PetStatus[]
}

/** Selects pets, in the query language of @mswjs/data. */
export interface PetQuery {
  /** @default all pets */
  readonly where?: {
    readonly petId?: NumberQuery<PetIdLike>
    readonly quantity?: NumberQuery
    readonly status?: StatusQuery
  }
  /**
   * One property, or a list in which each property breaks the ties of those before it.
   * @default the order in which the service lists the pets
   */
  readonly orderBy?: PetOrder | readonly PetOrder[]
  /** @default all */
  readonly take?: number
  /** @default 0 */
  readonly skip?: number
}

export type PetOrder = { readonly [Property in keyof Pet]?: 'asc' | 'desc' }

/** A validated query. */
export interface ParsedPetQuery {
  matches(pet: Pet): boolean
  /** Sorts the matching pets and applies `skip` and `take`. */
  arrange(matching: readonly Pet[]): Pet[]
}

/** @throws {MockError} `INVALID_QUERY` naming the invalid property and the valid ones. */
export function parsePetQuery(query: PetQuery = {}): ParsedPetQuery {
  assertProperties(query, { known: ['where', 'orderBy', 'take', 'skip'], place: 'the query' })
  const { where = {}, orderBy = [], take, skip } = query
  assertProperties(where, { known: Object.keys(COMPARATORS), place: 'where' })
  for (const [property, conditions] of Object.entries(where)) assertConditions(property, conditions)
  const order = [orderBy].flat() as PetOrder[]
  for (const criterion of order) assertOrder(criterion)
  assertCount(take, 'take')
  assertCount(skip, 'skip')
  const conditions = toConditions(where)
  return {
    matches: (pet) => conditions.every((holds) => holds(pet)),
    arrange(matching) {
      if (take === 0) return [] // For the library, 0 means no limit.
      const sorted = order.length === 0 ? [...matching] : sort(matching, order)
      return paginate(sorted, { take, skip })
    },
  }
}

type Condition = (pet: Pet) => boolean
type Where = NonNullable<PetQuery['where']>

/** Compiles conditions on the id separately: ids are compared as sortable strings, because numbers are not exact. */
function toConditions({ petId, ...where }: Where): Condition[] {
  if (petId === undefined) return [compile(where)]
  const { between, notBetween, ...compared } = petId
  const onId = (conditions: object): Condition => {
    const holds = compile({ petId: conditions })
    return (pet) => holds({ petId: toSortableId(pet.petId) })
  }
  const toRange = ([min, max]: readonly [PetIdLike, PetIdLike]): object => ({
    gte: toSortable(min),
    lte: toSortable(max),
  })
  const isOutside = notBetween && onId(toRange(notBetween))
  return [
    compile(where),
    onId(Object.fromEntries(Object.entries(compared).map(([name, value]) => [name, toSortables(value)]))),
    ...(between === undefined ? [] : [onId(toRange(between))]),
    ...(isOutside === undefined ? [] : [(pet: Pet) => !isOutside(pet)]),
  ]
}

function compile(where: object): (record: object) => boolean {
  return compileQuery({ where } as never) as (record: object) => boolean
}

function paginate(pets: readonly Pet[], { take, skip }: { take: number | undefined; skip: number | undefined }): Pet[] {
  return paginateResults({ take, skip } as never, pets as never) as unknown[] as Pet[]
}

function sort(pets: readonly Pet[], orderBy: readonly PetOrder[]): Pet[] {
  const records = pets.map((pet) => ({
    petId: toSortableId(pet.petId),
    quantity: pet.quantity,
    status: pet.status,
    pet,
  }))
  sortResults(orderBy as never, records as never)
  return records.map(({ pet }) => pet)
}

const SMALLEST = -(2n ** 63n)

/** A string that sorts like the numeric id: its distance from the smallest int64, padded to 20 digits. */
function toSortableId(petId: string): string {
  return String(BigInt(petId) - SMALLEST).padStart(20, '0')
}

function toSortable(petId: PetIdLike): string {
  return toSortableId(toPetKey(petId))
}

function toSortables(value: PetIdLike | readonly PetIdLike[]): string | string[] {
  return typeof value === 'object' ? value.map(toSortable) : toSortable(value)
}

const ONE = ['equals', 'notEquals']
const MANY = ['in', 'notIn']
const ORDERED = ['gt', 'gte', 'lt', 'lte']
const RANGES = ['between', 'notBetween']

const COMPARATORS: Readonly<Record<keyof Pet, readonly string[]>> = {
  petId: [...ONE, ...ORDERED, ...RANGES, ...MANY],
  quantity: [...ONE, ...ORDERED, ...RANGES, ...MANY],
  status: [...ONE, ...MANY],
}

const VALUES: Readonly<Record<keyof Pet, { wanted: string; holds(value: unknown): boolean }>> = {
  petId: { wanted: 'an int64', holds: (value) => parsePetKey(value) !== undefined },
  quantity: { wanted: 'a number', holds: (value) => typeof value === 'number' && !Number.isNaN(value) },
  status: { wanted: `one of ${PET_STATUSES.join(', ')}`, holds: isPetStatus },
}

function assertConditions(property: string, conditions: unknown): void {
  const { wanted, holds } = VALUES[property as keyof Pet]
  const place = `where.${property}`
  assertProperties(conditions, { known: COMPARATORS[property as keyof Pet], place })
  for (const [name, value] of Object.entries(conditions as object)) {
    const isList = MANY.includes(name) || RANGES.includes(name)
    if (isList && !Array.isArray(value)) throw toQueryError(`${place}.${name} must be a list, got ${quote(value)}`)
    if (RANGES.includes(name) && value.length !== 2)
      throw toQueryError(`${place}.${name} must be a list of two, the smallest and the largest, got ${quote(value)}`)
    const wrong = (isList ? (value as unknown[]) : [value]).filter((each) => !holds(each))
    if (wrong.length > 0)
      throw toQueryError(`${place}.${name} must be ${isList ? 'a list, each ' : ''}${wanted}, got ${quote(wrong[0])}`)
  }
}

function assertOrder(criterion: unknown): void {
  assertProperties(criterion, { known: Object.keys(COMPARATORS), place: 'orderBy' })
  const [[property, direction] = [], ...more] = Object.entries(criterion as object)
  if (property === undefined || more.length > 0)
    throw toQueryError('orderBy takes one property in each object. Give a list to sort by more than one')
  if (direction !== 'asc' && direction !== 'desc')
    throw toQueryError(`orderBy.${property} must be asc or desc, got ${quote(direction)}`)
}

function assertCount(value: unknown, name: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return
  throw toQueryError(`${name} must be an integer of 0 or more, got ${quote(value)}`)
}

function assertProperties(value: unknown, { known, place }: { known: readonly string[]; place: string }): void {
  assertKnown(value, { failure: `Failed to find pets: ${place}`, known, code: 'INVALID_QUERY' })
}

function toQueryError(reason: string): MockError {
  return new MockError('INVALID_QUERY', `Failed to find pets: ${reason}.`)
}

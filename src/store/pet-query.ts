// Only this file and pet-table.ts import @mswjs/data. The query language and its engine come from the library, but not
// `findMany`: it queries the library's own table, not the layers of a sandbox.

import { numberComparators } from '@mswjs/data/lib/comparators/number.js'
import { compileQuery } from '@mswjs/data/lib/query/compileQuery.js'
import { paginateResults } from '@mswjs/data/lib/query/paginateResults.js'
import { sortResults } from '@mswjs/data/lib/query/sortResults.js'
import * as v from 'valibot'
import { must, object, oneOf, oneOrMany, parseWith, type Schema, whole } from '../http/schema.ts'
import { PET_KEY, PET_STATUS, type Pet, type PetIdLike, type PetStatus } from '../inventory/pet.ts'

/** Conditions on a value. All of them must hold. */
export interface NumberQuery<Value = number> {
  /** This value. */
  readonly equals?: Value
  /** Any other value. */
  readonly notEquals?: Value
  /** Greater than this. */
  readonly gt?: Value
  /** Greater than this, or equal. */
  readonly gte?: Value
  /** Less than this. */
  readonly lt?: Value
  /** Less than this, or equal. */
  readonly lte?: Value
  /** Bounds are inclusive. */
  readonly between?: readonly [Value, Value]
  /** Outside the bounds. */
  readonly notBetween?: readonly [Value, Value]
  /** One of these. */
  readonly in?: readonly Value[]
  /** None of these. */
  readonly notIn?: readonly Value[]
}

/** Conditions on a pet's status. All of them must hold. */
export type StatusQuery = Pick<NumberQuery<PetStatus>, 'equals' | 'notEquals' | 'in' | 'notIn'>

/** Selects pets, in the query language of `@mswjs/data`. */
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

/** A property to sort by, and the direction: `{ quantity: 'asc' }`. */
export type PetOrder = { readonly [Property in keyof Pet]?: 'asc' | 'desc' }

function toNumberQuery<Value>(value: Schema<Value>): Schema<NumberQuery<Value>> {
  const one = v.exactOptional(value)
  const many = v.exactOptional(v.array(value, must('a list')))
  const isPair = (list: unknown): boolean => Array.isArray(list) && list.length === 2
  const pair = v.custom(isPair, must('a list of two, the smallest and the largest'))
  const range = v.exactOptional(v.pipe(pair, v.tuple([value, value])))
  const comparisons = { equals: one, notEquals: one, gt: one, gte: one, lt: one, lte: one }
  return object<NumberQuery<Value>>({ ...comparisons, between: range, notBetween: range, in: many, notIn: many })
}

/** The library compares ids exactly as bigints. */
const EXACT_ID: Schema<PetIdLike> = v.pipe(PET_KEY, v.transform<string, bigint>(BigInt))
const oneStatus = v.exactOptional(PET_STATUS)
const manyStatuses = v.exactOptional(v.array(PET_STATUS, must('a list')))
const direction = v.optional(oneOf(['asc', 'desc']))

const ORDER = v.pipe(
  object<PetOrder>({ petId: direction, quantity: direction, status: direction }),
  v.check(
    (order) => Object.keys(order).length === 1,
    'takes one property in each object. Give a list to sort by more than one',
  ),
)

const WHERE = v.optional(
  object<NonNullable<PetQuery['where']>>({
    petId: v.exactOptional(toNumberQuery(EXACT_ID)),
    quantity: v.exactOptional(toNumberQuery(v.number(must('a number')))),
    status: v.exactOptional(
      object<StatusQuery>({ equals: oneStatus, notEquals: oneStatus, in: manyStatuses, notIn: manyStatuses }),
    ),
  }),
)

const QUERY = object<PetQuery>({
  where: WHERE,
  orderBy: v.optional(oneOrMany(ORDER)),
  take: v.optional(whole(0)),
  skip: v.optional(whole(0)),
})

/** A query that only counts pets. @internal */
export const COUNT: Schema<PetQuery> = object<Pick<PetQuery, 'where'>>({ where: WHERE })

/**
 * Returns what selects the pets of a query from all pets, in its order.
 * @throws {MockError} `INVALID_QUERY` naming the invalid property and the valid ones. @internal
 */
export function parsePetQuery(
  query: PetQuery = {},
  schema: Schema<PetQuery> = QUERY,
): (pets: Iterable<Pet>) => readonly Pet[] {
  const refusal = { failure: 'Failed to find pets', subject: 'the query', code: 'INVALID_QUERY' } as const
  const { where: { petId = {}, ...others } = {}, orderBy = [], take, skip } = parseWith(schema, query, refusal)
  const order = [orderBy].flat() as PetOrder[]
  const matchesOthers = engine.compile({ where: others })
  const onId = Object.entries(petId)
  const matches = (pet: Pet): boolean =>
    onId.every(([name, expected]) => engine.compare[name]?.(expected, BigInt(pet.petId))) && matchesOthers(pet)
  return (pets) => {
    if (take === 0) return [] // For the library, 0 means no limit.
    const matching = Array.from(pets).filter(matches)
    return engine.paginate({ take, skip }, order.length === 0 ? matching : sort(matching, order))
  }
}

/** The library's functions ask for a model of its own. They work on any record, and its comparators on bigints. */
const engine = {
  compile: compileQuery as unknown as (query: { where: object }) => (pet: Pet) => boolean,
  sort: sortResults as unknown as (orderBy: readonly PetOrder[], records: object[]) => void,
  paginate: paginateResults as unknown as (query: object, pets: readonly Pet[]) => Pet[],
  compare: numberComparators as unknown as Record<string, (expected: unknown, actual: bigint) => boolean>,
}

function sort(pets: readonly Pet[], orderBy: readonly PetOrder[]): Pet[] {
  const records = pets.map((pet) => ({ petId: BigInt(pet.petId), quantity: pet.quantity, status: pet.status, pet }))
  engine.sort(orderBy, records)
  return records.map(({ pet }) => pet)
}

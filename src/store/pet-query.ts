// Only this file and pet-table.ts import @mswjs/data. The query language and its engine come from the library, but not
// `findMany`: it queries the library's own table, not the layers of a sandbox.

import { compileQuery } from '@mswjs/data/lib/query/compileQuery.js'
import { paginateResults } from '@mswjs/data/lib/query/paginateResults.js'
import { sortResults } from '@mswjs/data/lib/query/sortResults.js'
import * as v from 'valibot'
import { must, object, oneOf, oneOrMany, parseWith, type Schema, whole } from '../http/schema.ts'
import { PET_KEY, type PetIdLike, toPetKey } from '../inventory/pet-id.ts'
import { PET_STATUS, type PetStatus } from '../inventory/pet-status.ts'
import type { Pet } from './pet-table.ts'

/** Conditions on a number. All of them must hold. */
export interface NumberQuery<Value = number> {
  /** The number. */
  readonly equals?: Value
  /** Any other number. */
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
export interface StatusQuery {
  /** The status. */
  readonly equals?: PetStatus
  /** Any other status. */
  readonly notEquals?: PetStatus
  /** One of these. */
  readonly in?: readonly PetStatus[]
  /** None of these. */
  readonly notIn?: readonly PetStatus[]
}

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

/** A validated query. */
interface ParsedPetQuery {
  matches(pet: Pet): boolean
  /** Sorts the matching pets and applies `skip` and `take`. */
  arrange(matching: readonly Pet[]): Pet[]
}

function toNumberQuery<Value>(value: Schema<Value>): Schema<NumberQuery<Value>> {
  const one = v.exactOptional(value)
  const many = v.exactOptional(v.array(value, must('a list')))
  const two = must('a list of two, the smallest and the largest')
  const range = v.exactOptional(
    v.pipe(
      v.array(value, two),
      v.length(2, two),
      v.transform((bounds) => bounds as [Value, Value]),
    ),
  )
  return object<NumberQuery<Value>>({
    equals: one,
    notEquals: one,
    gt: one,
    gte: one,
    lt: one,
    lte: one,
    between: range,
    notBetween: range,
    in: many,
    notIn: many,
  })
}

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
  object<Where>({
    petId: v.exactOptional(toNumberQuery<PetIdLike>(PET_KEY)),
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

const COUNT = object<Pick<PetQuery, 'where'>>({ where: WHERE })

const REFUSAL = { failure: 'Failed to find pets', subject: 'the query', code: 'INVALID_QUERY' } as const

/** @throws {MockError} `INVALID_QUERY` naming the invalid property and the valid ones. */
export function parseCountQuery(query: Pick<PetQuery, 'where'>): ParsedPetQuery {
  return toParsedQuery(parseWith(COUNT, query, REFUSAL))
}

/** @throws {MockError} `INVALID_QUERY` naming the invalid property and the valid ones. */
export function parsePetQuery(query: PetQuery = {}): ParsedPetQuery {
  return toParsedQuery(parseWith(QUERY, query, REFUSAL))
}

function toParsedQuery({ where = {}, orderBy = [], take, skip }: PetQuery): ParsedPetQuery {
  const order = [orderBy].flat() as PetOrder[]
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

// Which requests: shared by faults, stubs and searches of the journal.

import * as v from 'valibot'
import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import { createPathMatcher } from '../http/router.ts'
import { must, oneOf, type Schema, selector, string } from '../http/schema.ts'
import { PET_KEY, type PetIdLike, type PetKey } from '../inventory/pet.ts'

export const OPERATION_IDS: readonly OperationId[] = OPERATIONS.map(({ id }) => id)

/** Selects requests, in a fault or a search of the journal. All given properties must match. */
export interface RequestCondition {
  /** @default all operations, and requests to other routes */
  readonly operation?: OperationId
  /**
   * `GET` also selects `HEAD`.
   * @default all methods
   */
  readonly method?: RequestMethod
  /**
   * The path, as in an OpenAPI document, with or without the base path: `/orders/{id}`, or `/v1/orders/7`.
   * @default all paths
   */
  readonly path?: string
  /** @default all pets, and requests that do not concern a single pet */
  readonly petId?: PetIdLike
}

export interface ParsedCondition extends Omit<RequestCondition, 'petId'> {
  readonly petId?: PetKey
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A method that a condition can have. */
export type RequestMethod = (typeof METHODS)[number]

/**
 * Each segment is a name in braces, or text without the signs of other notations and of a query. URL parsing resolves `.`
 * and `..`, and makes a backslash a slash, so no request has them.
 */
const PATH_FORM = /^(?:\/(?:\{\w+\}|(?!:|\.{1,2}(?:\/|$))[^/{}*?#%\s\\]*))+$/

/** A path below the base path, with or without parameters. @internal */
export const PATH: Schema<string> = v.pipe(
  string,
  v.regex(
    PATH_FORM,
    must(
      'a path such as /pets/7 or /pets/{petId}, without a query, a wildcard, percent-encoding, a backslash, . or ..',
    ),
  ),
)

/** The schema of each property of a condition. @internal */
export const CONDITION: { readonly [Name in keyof Required<ParsedCondition>]: Schema<ParsedCondition[Name]> } = {
  operation: selector(oneOf(OPERATION_IDS), 'match every operation'),
  method: selector(oneOf(METHODS), 'match every method'),
  path: selector(PATH, 'match every path'),
  petId: selector(PET_KEY, 'match every pet'),
}

/** A check with its own sentence for each problem. `explain` returns `undefined` for a valid value. @internal */
export function checkWith<Value>(
  explain: (value: Value) => string | undefined,
): v.CheckAction<Value, (issue: v.CheckIssue<Value>) => string> {
  return v.check(
    (value) => explain(value) === undefined,
    ({ input }) => explain(input) ?? '',
  )
}

/** Explains what no request to the operation can have: with `not`, or in a fault, it would do nothing. */
export function explainContradiction({ operation: id, method, petId }: ParsedCondition): string | undefined {
  const operation = OPERATIONS.find((each) => each.id === id)
  if (operation === undefined) return undefined
  if (method !== undefined && method !== operation.method)
    return `method ${method} cannot be used with ${id}, which has ${operation.method}`
  if (petId !== undefined && operation.petIdParameter === undefined)
    return `petId cannot be used with ${id}, which does not concern a single pet`
  return undefined
}

/** The properties of a request that a condition looks at. */
export interface SelectedRequest {
  readonly operation: string | undefined
  readonly method: string
  /** The percent-encoded path below the base path, without the query. */
  readonly resource: string
  /** The same with the base path. */
  readonly path: string
  readonly petId: PetKey | undefined
}

/** Lists why a request does not meet a condition; an empty list if it does. */
export function createExplainer(condition: ParsedCondition): (request: SelectedRequest) => string[] {
  const { operation, method, path, petId } = condition
  const match = path === undefined ? undefined : createPathMatcher(path)
  const hasPath = (each: string): boolean => match?.(each.split('/')) !== undefined
  const hasMethod = (own: string): boolean => own === method || (method === 'GET' && own === 'HEAD')
  return (request) =>
    [
      operation !== undefined && request.operation !== operation && `it is ${request.operation ?? 'no operation'}`,
      method !== undefined && !hasMethod(request.method) && `its method is ${request.method}`,
      path !== undefined && ![request.resource, request.path].some(hasPath) && `its path is ${request.resource}`,
      petId !== undefined && request.petId !== petId && `it is for pet ${request.petId ?? 'none'}`,
    ].filter((reason) => reason !== false)
}

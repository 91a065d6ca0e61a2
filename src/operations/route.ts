import { OPERATIONS } from '../contract/operations.gen.ts'
import { createRouter, type RouteMatch, type Router } from '../http/router.ts'

/** An operation of the specification. */
export type Operation = (typeof OPERATIONS)[number]
export type OperationId = Operation['id']

/** Where a method and a path lead. */
export type Route = RouteMatch<Operation>

/** Finds the operation of a request, by its path below the base path: `/inventory/7`. */
export const toRoute: Router<Operation> = createRouter(OPERATIONS)

import { OPERATIONS } from '../contract/operations.gen.ts'
import { createPathMatcher, type PathParams } from '../contract/path-template.ts'

/** An operation of the specification. */
export type Operation = (typeof OPERATIONS)[number]
export type OperationId = Operation['id']

/** Where a method and a path lead. */
export type Route =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly params: PathParams }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown' }

const TABLE = OPERATIONS.map((operation) => ({ operation, match: createPathMatcher(operation.path) }))

/**
 * Finds the operation of a request. `HEAD` goes where `GET` goes.
 * @param path Below the base path, still percent-encoded: `/inventory/7`.
 */
export function toRoute(method: string, path: string): Route {
  const wanted = method === 'HEAD' ? 'GET' : method
  const allowed: string[] = []
  for (const { operation, match } of TABLE) {
    const params = match(path)
    if (params === undefined) continue
    if (operation.method === wanted) return { kind: 'operation', operation, params }
    allowed.push(operation.method === 'GET' ? 'GET, HEAD' : operation.method)
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allow: allowed.join(', ') } : { kind: 'unknown' }
}

import { type BaseUrls, toPathBelow } from '../../http/base-url.ts'
import type { Operation } from '../../operations/define-operation.ts'
import { matchOperation } from '../../operations/operations.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'

/** An operation that the specification marks as experimental or deprecated. */
export type UnstableOperation = Operation & { readonly stability: Exclude<Operation['stability'], 'stable'> }

/**
 * Calls `note` on the first request to each unstable operation.
 * @param basePath The base path of the service, such as `/v1`.
 */
export function noteStability(
  bases: BaseUrls,
  note: (operation: UnstableOperation) => void,
): (entry: Pick<RequestLogEntry, 'method' | 'path'>) => void {
  const noted = new Set<Operation>()
  return ({ method, path }) => {
    const match = matchOperation(method, toPathBelow(bases, path))
    if (match.kind !== 'found' || !isUnstable(match.route) || noted.has(match.route)) return
    noted.add(match.route)
    note(match.route)
  }
}

function isUnstable(operation: Operation): operation is UnstableOperation {
  return operation.stability !== 'stable'
}

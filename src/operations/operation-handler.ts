import type { Awaitable } from '../http/awaitable.ts'
import type { PathParams } from '../http/path-template.ts'
import type { Call } from '../http/wire-request.ts'
import type { Answer } from '../http/wire-response.ts'
import type { QuantityRange } from '../inventory/stock-update.ts'
import type { InventoryState } from '../store/inventory-state.ts'
import type { Operation } from './route.ts'

/** What an operation has at hand when its key was found valid. */
export interface OperationContext {
  readonly call: Pick<Call, 'header' | 'readBody'>
  readonly operation: Operation
  /** The path's parameters, decoded. */
  readonly params: PathParams
  /** The inventory of the sandbox that the key opens. */
  readonly state: InventoryState
  readonly quantityRange: QuantityRange
  /** The date of the `Sunset` header on a deprecated operation (RFC 8594), where the user gave one. */
  readonly sunset: Date | undefined
}

export type OperationHandler = (context: OperationContext) => Awaitable<Answer>

import type { OperationId } from '../operations/define-operation.ts'
import { WRONG_KEY } from './conformance/bad-keys.ts'
import { type ConformanceCase, defineCase } from './conformance/conformance-case.ts'
import { defineListInventoryCases } from './conformance/list-inventory-cases.ts'
import { defineUpdateInventoryCases } from './conformance/update-inventory-cases.ts'

/** The cases of each operation, in the order in which they run. The compiler reports a missing operation. */
const CASES: Readonly<Record<OperationId, readonly ConformanceCase[]>> = {
  listInventory: defineListInventoryCases(),
  updateInventory: defineUpdateInventoryCases(),
  getPet: defineNamedCases('getPet'),
  listOrders: defineNamedCases('listOrders'),
}

/** All cases. */
export const CONFORMANCE_PACK: readonly ConformanceCase[] = Object.values(CASES).flat()

/** Operations that the specification names but does not define. Section 5 still applies: every operation needs a key. */
function defineNamedCases(operation: OperationId): ConformanceCase[] {
  return [
    defineCase({ operation, title: 'no key is 401', expected: 401, request: () => ({ authorization: null }) }),
    defineCase({
      operation,
      title: 'a wrong key is 401',
      expected: 401,
      request: () => ({ authorization: `Bearer ${WRONG_KEY}` }),
    }),
  ]
}

import { type ConformanceCase, defineCase } from './conformance/conformance-case.ts'
import { defineListInventoryCases } from './conformance/list-inventory-cases.ts'
import { defineUpdateInventoryCases } from './conformance/update-inventory-cases.ts'
import { WRONG_KEY } from './conformance/wrong-key.ts'

/** Every case that a service is checked for, in the order in which they are run. */
export const CONFORMANCE_PACK: readonly ConformanceCase[] = [
  ...defineListInventoryCases(),
  ...defineUpdateInventoryCases(),
  ...defineNamedCases(),
]

/** The operations that the specification names and does not show: it says of them that they ask for a key. */
function defineNamedCases(): ConformanceCase[] {
  return (['getPet', 'listOrders'] as const).map((operation) =>
    defineCase({
      operation,
      title: 'a wrong key is 401',
      source: 'decision',
      expected: 401,
      request: () => ({ authorization: `Bearer ${WRONG_KEY}` }),
    }),
  )
}

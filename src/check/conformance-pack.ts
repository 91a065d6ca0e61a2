import { WRONG_KEY } from './conformance/bad-keys.ts'
import { type ConformanceCase, defineCase } from './conformance/conformance-case.ts'
import { defineListInventoryCases } from './conformance/list-inventory-cases.ts'
import { defineUpdateInventoryCases } from './conformance/update-inventory-cases.ts'

/** All cases, in the order in which they run. */
export const CONFORMANCE_PACK: readonly ConformanceCase[] = [
  ...defineListInventoryCases(),
  ...defineUpdateInventoryCases(),
  ...defineNamedCases(),
]

/** Operations that the specification names but does not define. Section 5 still applies: every operation needs a key. */
function defineNamedCases(): ConformanceCase[] {
  return (['getPet', 'listOrders'] as const).flatMap((operation) => [
    defineCase({ operation, title: 'no key is 401', expected: 401, request: () => ({ authorization: null }) }),
    defineCase({
      operation,
      title: 'a wrong key is 401',
      expected: 401,
      request: () => ({ authorization: `Bearer ${WRONG_KEY}` }),
    }),
  ])
}

import { describe, expect, test } from 'vitest'
import { createErrorResponse } from '../../src/http/error-response.ts'
import { createJsonResponse, type WireResponse } from '../../src/http/wire-response.ts'
import { ERROR_ORDERS, type ErrorOrder } from '../../src/inventory/profile.ts'
import { defineOperation, type Operation, refuse } from '../../src/operations/define-operation.ts'
import { createUnknownPetResponse, runOperation } from '../../src/operations/run-operation.ts'
import { parseOptions } from '../../src/service/parse-options.ts'
import { InventoryState } from '../../src/store/inventory-state.ts'
import { loadSeed } from '../../src/store/seed.ts'

/** An operation that needs a petId and a count in its body, as `POST /store/orders` may one day. */
const placeOrder: Operation = {
  ...defineOperation('updateInventory', {
    parse({ petId, body }) {
      if ((petId as string | undefined) === undefined) return refuse('petId is required')
      return body['count'] === 1 ? { petId } : refuse('count must be 1')
    },
    resolve: ({ petId }, { state, rules }) =>
      state.get(petId) === undefined ? createUnknownPetResponse(petId, rules) : createJsonResponse(200, '{}'),
  }),
  petIdOf: { in: 'body', name: 'petId' },
}

const [GOOD, UNKNOWN, INVALID, UNKNOWN_AND_INVALID] = [
  { petId: 1, count: 1 },
  { petId: 404, count: 1 },
  { petId: 1, count: 2 },
  { petId: 404, count: 2 },
]

async function order(body: object, { order: errorOrder, hasKey }: { order: ErrorOrder; hasKey: boolean }) {
  const { rules } = parseOptions({ profile: { order: errorOrder } })
  const response: WireResponse = await runOperation({
    operation: placeOrder,
    params: {},
    request: {
      header: () => 'application/json',
      readBody: () => new TextEncoder().encode(JSON.stringify(body)),
    },
    state: new InventoryState(loadSeed('default')),
    rules,
    refuseKey: hasKey ? undefined : () => createErrorResponse('unauthorized', 'No key'),
  })
  return response.status
}

describe('an operation that names its pet in the body', () => {
  test.each(ERROR_ORDERS)('has one error each, in the order %s', async (errorOrder) => {
    const withKey = { order: errorOrder, hasKey: true }
    expect(await order(GOOD, withKey)).toBe(200)
    expect(await order(UNKNOWN, withKey)).toBe(404)
    expect(await order(INVALID, withKey)).toBe(400)
    expect(await order({ count: 1 }, withKey)).toBe(400)
    expect(await order(GOOD, { order: errorOrder, hasKey: false })).toBe(401)
  })

  // The petId is known once the body is valid, so a 404 comes after the 400 in any order.
  test.each<[ErrorOrder, number, number]>([
    ['401, 400, 404', 401, 401],
    ['401, 404, 400', 401, 401],
    ['400, 401, 404', 401, 400],
    ['400, 404, 401', 404, 400],
    ['404, 401, 400', 401, 401],
    ['404, 400, 401', 404, 400],
  ])(
    'in the order %s, an unknown pet without a key is %i, and %i with an invalid body',
    async (errorOrder, ...statuses) => {
      const withoutKey = { order: errorOrder, hasKey: false }
      expect([await order(UNKNOWN, withoutKey), await order(UNKNOWN_AND_INVALID, withoutKey)]).toEqual(statuses)
    },
  )
})

import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock()

test.concurrent.each(Array.from({ length: 8 }, (_, index) => index))(
  'test %i has the pets to itself',
  async (index) => {
    const sandbox = mock.sandbox(`test-${index}`)

    await mock.fetch('/v1/inventory/1', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ quantity: index }),
    })

    expect(sandbox.inventory.get(1)?.quantity).toBe(index)
  },
)

import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock({ apiKeys: ['my-key', 'my-other-key'] })

test.each([
  ['my-key', 200],
  ['my-other-key', 200],
  ['demo-key', 401],
])('%s is %i', async (key, status) => {
  const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(status)
})

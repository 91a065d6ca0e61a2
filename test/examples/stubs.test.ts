import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock({
  stubs: [
    { path: '/pets/{petId}', body: { name: 'Rex' } },
    { path: '/pets/7', body: { name: 'Bella' } },
    { method: 'POST', path: '/store/orders', status: 201, headers: { location: '/v1/store/orders/1' } },
  ],
})
const headers = { authorization: `Bearer ${mock.apiKey}` }

test('a literal path is matched before a template', async () => {
  const rex = await mock.fetch('/v1/pets/1', { headers })
  expect(await rex.json()).toEqual({ name: 'Rex' })

  const bella = await mock.fetch('/v1/pets/7', { headers })
  expect(await bella.json()).toEqual({ name: 'Bella' })
  expect(mock.journal.last()?.by).toBe('stub')
})

import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock({
  stubs: [
    { path: '/pets/{petId}', body: { petId: '{petId}', name: 'Rex' } },
    { path: '/pets/7', body: { name: 'Bella' } },
    { path: '/pets/404', status: 404, body: { code: 'not_found', message: 'No such pet', status: 404 } },
    { method: 'POST', path: '/store/orders', status: 201, headers: { location: '/v1/store/orders/1' } },
  ],
})
const headers = { authorization: `Bearer ${mock.apiKey}` }

test('a literal path is matched before a template', async () => {
  const rex = await mock.fetch('/v1/pets/1', { headers })
  expect(await rex.json()).toEqual({ petId: 1, name: 'Rex' })

  const bella = await mock.fetch('/v1/pets/7', { headers })
  expect(await bella.json()).toEqual({ name: 'Bella' })
  expect(mock.journal.last()?.isStubbed).toBe(true)
})

test('an order is accepted', async () => {
  const response = await mock.fetch('/v1/store/orders', { method: 'POST', headers })

  expect(response.status).toBe(201)
  expect(response.headers.get('location')).toBe('/v1/store/orders/1')
})

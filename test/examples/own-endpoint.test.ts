import { HttpResponse, http } from 'msw'
import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock({
  handlers: (mock) => [
    http.get('*/v1/pets/:petId', ({ params }) => {
      const pet = mock.inventory.get(String(params['petId']))
      return pet === undefined ? HttpResponse.json({ code: 'not_found' }, { status: 404 }) : HttpResponse.json(pet)
    }),
    http.get('*/v1/opening-hours', () => HttpResponse.json({ opens: '09:00' })),
  ],
})

test('an operation that the specification does not show', async () => {
  const response = await mock.fetch('/v1/pets/1', { headers: { authorization: `Bearer ${mock.apiKey}` } })
  expect(await response.json()).toMatchObject({ petId: 1, quantity: 12, status: 'available' })
})

test('an endpoint that is not in the specification', async () => {
  const response = await mock.fetch('/v1/opening-hours')
  expect(await response.json()).toEqual({ opens: '09:00' })
})

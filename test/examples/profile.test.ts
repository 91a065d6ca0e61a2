import { createMock, type Profile } from 'petstore-mock'
import { expect, test } from 'vitest'

// Usually the content of a file: import profile from './profile.json' with { type: 'json' }
const profile: Profile = {
  description: 'https://api.petstore.example/v1, seen on 2026-11-22',
  order: '400, 401, 404',
  malformedPetId: 404,
  quantity: { min: 0 },
  codes: { 404: 'PET_NOT_FOUND' },
}
const mock = createMock({ profile })

test('a malformed id is an unknown pet, as at the real service', async () => {
  const response = await mock.fetch('/v1/inventory/abc', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 5 }),
  })

  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'PET_NOT_FOUND' })
})

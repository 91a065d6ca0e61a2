import createClient from 'openapi-fetch'
import { expect, test } from 'vitest'
import type { paths } from '../../src/contract/openapi.gen.ts'
import { createMock } from '../../src/index.ts'
import { startWorker } from '../../src/runtimes/browser.ts'

test('a client generated from the specification lists and updates through the worker', async () => {
  await using _worker = await startWorker(createMock())
  const client = createClient<paths>({
    baseUrl: 'https://api.petstore.example/v1',
    headers: { authorization: 'Bearer demo-key' },
  })
  const { data: pets } = await client.GET('/inventory')
  expect(pets).toHaveLength(10)
  const updated = await client.PATCH('/inventory/{petId}', {
    params: { path: { petId: 7 } },
    body: { quantity: 70 },
  })
  expect(updated.data).toEqual({ petId: 7, quantity: 70, status: 'pending' })
  const refused = await client.PATCH('/inventory/{petId}', {
    params: { path: { petId: 404 } },
    body: { quantity: 1 },
  })
  expect(refused.error).toEqual({ code: 'not_found', message: 'There is no pet 404', status: 404 })
})

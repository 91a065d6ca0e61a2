// Every entry that needs neither a page nor a test runner.
import assert from 'node:assert/strict'
import { createMock } from 'petstore-mock'
import { connectMock } from 'petstore-mock/client'
import { interceptRequests } from 'petstore-mock/node'
import { serve } from 'petstore-mock/server'

const update = { method: 'PATCH', body: '{"quantity":20}' }
const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

const mock = createMock({ fixture: 'low-stock' })
const server = await serve(mock)
const response = await fetch(`${server.url}/v1/inventory/1`, { ...update, headers })
assert.equal((await response.json()).quantity, 20)
const remote = connectMock(server.url)
assert.equal((await remote.inventory.get(1)).quantity, 20)
await server.close()

if ('Bun' in globalThis || 'Deno' in globalThis) {
  assert.throws(() => interceptRequests(mock), { code: 'INTERCEPT_START' })
} else {
  const interception = interceptRequests(mock)
  const list = await fetch('https://api.petstore.example/v1/inventory', { headers })
  assert.equal((await list.json())[0].quantity, 20)
  interception.stop()
}
console.log('It works.')

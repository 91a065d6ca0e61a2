// The mock in an msw set-up of the user's own, and the user's handlers in the mock.
import assert from 'node:assert/strict'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMock } from 'petstore-mock'
import { createHandlers } from 'petstore-mock/msw'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock()
mock.use(http.get('*/v1/store/orders', () => HttpResponse.json([{ id: 1 }])))
const server = setupServer(...createHandlers(mock))
assert(server.listHandlers().length >= 4)
server.listen({ onUnhandledRequest: 'error' })
const headers = { authorization: `Bearer ${mock.apiKey}` }
const get = async (path) => (await fetch(`https://api.petstore.example/v1${path}`, { headers })).json()
assert.equal((await get('/inventory')).length, 10)
assert.deepEqual(await get('/store/orders'), [{ id: 1 }])
server.close()

// Without msw's server, handlers of the user answer, too.
const interception = interceptRequests(mock)
assert.equal((await get('/inventory')).length, 10)
assert.deepEqual(await get('/store/orders'), [{ id: 1 }])
interception.stop()
console.log('It works.')

// One HTTP client, answered inside the process and by a server.
import assert from 'node:assert/strict'
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { serve } from 'petstore-mock/server'

const headers = { authorization: 'Bearer demo-key' }
const withFetch = (send) => async (url, json) => {
  const init = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } }
  return (await send(url, { ...init, body: JSON.stringify(json) })).json()
}
const CLIENTS = {
  fetch: async () => withFetch(fetch),
  async axios() {
    const { default: axios } = await import('axios')
    return async (url, json) => (await axios.patch(url, json, { headers })).data
  },
  async ky() {
    const { default: ky } = await import('ky')
    return (url, json) => ky.patch(url, { json, headers }).json()
  },
  async got() {
    const { default: got } = await import('got')
    return (url, json) => got.patch(url, { json, headers }).json()
  },
  'node-fetch': async () => withFetch((await import('node-fetch')).default),
  async superagent() {
    const { default: superagent } = await import('superagent')
    return async (url, json) => (await superagent.patch(url).set(headers).send(json)).body
  },
  async 'openapi-fetch'() {
    const { default: createClient } = await import('openapi-fetch')
    return async (url, json) => {
      const client = createClient({ baseUrl: url.replace(/\/inventory\/1$/, ''), headers })
      return (await client.PATCH('/inventory/{petId}', { params: { path: { petId: 1 } }, body: json })).data
    }
  },
  async ofetch() {
    const { ofetch } = await import('ofetch')
    return (url, body) => ofetch(url, { method: 'PATCH', headers, body })
  },
}

const update = await CLIENTS[process.argv[2]]()
const mock = createMock()
const server = await serve(mock)
assert.deepEqual(await update(`${server.url}/v1/inventory/1`, { quantity: 21 }), {
  petId: 1,
  quantity: 21,
  status: 'available',
})
await server.close()
const interception = interceptRequests(mock)
assert.equal((await update('https://api.petstore.example/v1/inventory/1', { quantity: 22 })).quantity, 22)
assert.equal(mock.inventory.get(1).quantity, 22)
interception.stop()
console.log('It works.')

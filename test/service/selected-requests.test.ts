import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createMock, type Fault, type Mock } from '../../src/index.ts'

/** A mock with an endpoint as a stub and another as a handler. */
function createOwn(): Mock {
  return createMock({
    stubs: [{ path: '/orders/{id}', body: { id: '{id}' } }],
    handlers: [http.post('*/v1/carts/:id', () => HttpResponse.json({}, { status: 201 }))],
  })
}

const REQUESTS = {
  list: ['GET', '/inventory', 200],
  update: ['PATCH', '/inventory/1', 200],
  stub: ['GET', '/orders/7', 200],
  head: ['HEAD', '/orders/7', 200],
  handler: ['POST', '/carts/7', 201],
  unknown: ['GET', '/nowhere', 404],
} as const

type Name = keyof typeof REQUESTS

async function send(mock: Mock, name: Name): Promise<number> {
  const [method, path] = REQUESTS[name]
  const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
  const body = method === 'PATCH' || method === 'POST' ? '{"quantity":3}' : null
  return (await mock.fetch(`/v1${path}`, { method, headers, body })).status
}

const SELECTIONS: [Partial<Fault>, readonly Name[]][] = [
  [{}, ['list', 'update', 'stub', 'head', 'handler', 'unknown']],
  [{ operation: 'updateInventory' }, ['update']],
  [{ petId: 1 }, ['update']],
  [{ method: 'GET' }, ['list', 'stub', 'head', 'unknown']],
  [{ method: 'POST' }, ['handler']],
  [{ path: '/orders/{id}' }, ['stub', 'head']],
  [{ path: '/orders/7' }, ['stub', 'head']],
  [{ path: '/orders/8' }, []],
  [{ path: '/v1/orders/{id}' }, ['stub', 'head']],
  [{ path: '/v2/orders/{id}' }, []],
  [{ operation: 'updateInventory', method: 'PATCH', path: '/inventory/{id}' }, ['update']],
  [{ path: '/carts/{id}', method: 'POST' }, ['handler']],
  [{ path: '/inventory/{petId}', petId: 2 }, []],
]

describe.each(SELECTIONS)('%j selects %j', (selection, selected) => {
  test('for a fault, also of stubs and handlers', async () => {
    for (const name of Object.keys(REQUESTS) as Name[]) {
      const mock = createOwn()
      mock.faults.add({ ...selection, status: 503 } as Fault)
      expect([name, await send(mock, name)]).toEqual([name, selected.includes(name) ? 503 : REQUESTS[name][2]])
    }
  })

  test('in the journal', async () => {
    const mock = createOwn()
    for (const name of Object.keys(REQUESTS) as Name[]) await send(mock, name)
    const found = mock.journal.find(selection).map(({ request }) => `${request.method} ${request.path}`)
    expect(found).toEqual(selected.map((name) => `${REQUESTS[name][0]} /v1${REQUESTS[name][1]}`))
  })
})

test('an outage does not affect requests outside the base path', async () => {
  const mock = createMock()
  mock.faults.add({ status: 503 })
  expect((await mock.fetch('/other')).status).toBe(404)
})

import { expect, test } from 'vitest'
import { startService } from './plain-service.ts'
import { SERVICES } from './services.ts'

interface Request {
  readonly path: string
  readonly key?: string
  readonly type?: string
  readonly body?: string
}

const ANSWERS: readonly (readonly [request: Request, status: number, body: unknown])[] = [
  [{ path: '/inventory', key: 'wrong' }, 401, { code: 'wrong_key', status: 401 }],
  [{ path: '/inventory/1', body: '{"quantity":5}', key: 'wrong' }, 401, { code: 'wrong_key', status: 401 }],
  [{ path: '/inventory/1', body: '{"quantity":5.5}' }, 400, { code: 'bad_quantity', status: 400 }],
  [{ path: '/inventory/1', body: '{}' }, 400, { code: 'no_quantity', status: 400 }],
  [{ path: '/inventory/1', body: '{' }, 400, { code: 'bad_json', status: 400 }],
  [{ path: '/inventory/1', body: '{"quantity":5}', type: 'text/plain' }, 400, { code: 'bad_type', status: 400 }],
  [{ path: '/inventory/01', body: '{"quantity":5}' }, 400, { code: 'bad_id', status: 400 }],
  [{ path: '/inventory/404', body: '{"quantity":5}' }, 404, { code: 'no_pet', status: 404 }],
  [{ path: '/inventory/1', body: '{"quantity":5.0}' }, 200, { petId: 1, quantity: 5, status: 'available' }],
  [{ path: '/inventory' }, 200, [{ petId: 1, quantity: 5, status: 'available' }, {}, {}, {}, {}]],
]

test('the plain service keeps the contract', async () => {
  const service = await startService(() => ({}))
  for (const [{ path, key = service.apiKey, type = 'application/json', body }, status, expected] of ANSWERS) {
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      ...(body !== undefined && { method: 'PATCH', body }),
    })
    expect.soft({ status: response.status, body: await response.json() }).toMatchObject({ status, body: expected })
  }
  expect(service.stock()).toMatchObject({ 1: 5, 2: 3 })
  await service.close()
})

test('each service has a name of its own', () => {
  expect(new Set(SERVICES.map(({ name }) => name)).size).toBe(SERVICES.length)
})

test.for(SERVICES)('$kind $name starts, lists and closes', async ({ start }) => {
  const { url, apiKey, close } = await start()
  const response = await fetch(`${url}/inventory`, { headers: { authorization: `Bearer ${apiKey}` } })
  expect(response.status).toBe(200)
  await close()
  await expect(fetch(`${url}/inventory`)).rejects.toThrow()
})

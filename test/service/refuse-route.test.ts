import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'

const ask = async (mock: Mock, path: string, method = 'GET'): Promise<unknown> => {
  const response = await mock.fetch(path, { method, headers: { authorization: 'Bearer demo-key' } })
  return ((await response.json()) as { message: string }).message
}

describe('the message of a 404 for an unknown route', () => {
  test.each([
    ['GET', '/v1/inventory/', 'There is no route GET /v1/inventory/ in petstore-mock. Did you mean /v1/inventory?'],
    ['GET', '/v1//inventory', 'There is no route GET /v1//inventory in petstore-mock. Did you mean /v1/inventory?'],
    [
      'GET',
      'http://x//v1/inventory',
      'There is no route GET //v1/inventory in petstore-mock. Did you mean /v1/inventory?',
    ],
    [
      'PATCH',
      '/v1/inventory/7/',
      'There is no route PATCH /v1/inventory/7/ in petstore-mock. Did you mean /v1/inventory/7?',
    ],
    ...['/inventory', '/v2/inventory', '/v1/v1/inventory', '/api/inventory', '/v1/Inventory'].map((path) => [
      'GET',
      path,
      `There is no route GET ${path} in petstore-mock. Did you mean /v1/inventory?`,
    ]),
    ['GET', '/v1/inventroy', 'There is no route GET /v1/inventroy in petstore-mock. Did you mean /v1/inventory?'],
    ['GET', '/v1/pet/7', 'There is no route GET /v1/pet/7 in petstore-mock. Did you mean /v1/pets/7?'],
    ['GET', '/v1/toys', 'There is no route GET /v1/toys in petstore-mock'],
    ...['/toys', '/v1', '/v12/toys', '/toys?token=secret'].map((path) => [
      'GET',
      path,
      `There is no route GET ${path.replace(/\?.*/, '')} in petstore-mock. Its API is below /v1`,
    ]),
    ['GET', '/v1/inventory/7', 'GET is not allowed on /v1/inventory/7. Allowed: PATCH'],
    ['DELETE', '/v1/inventory/', 'There is no route DELETE /v1/inventory/ in petstore-mock'],
  ])('of %s %s suggests a path that is similar, or the base path: %s', async (method, path, message) => {
    expect(await ask(createMock(), path, method)).toBe(message)
  })

  test('names all base paths, and none if the API is at the root', async () => {
    const several = createMock({ baseUrl: ['https://a.example/v1', 'https://b.example/v1', '/v2'] })
    expect(await ask(several, 'https://a.example/toys')).toMatch(/ Its API is below \/v1 and \/v2$/)
    expect(await ask(createMock({ baseUrl: '/' }), '/toys')).toBe('There is no route GET /toys in petstore-mock')
  })
})

test('below the base path, the control API is named', async () => {
  expect(await ask(createMock(), '/v1/_mock/faults', 'POST')).toBe(
    'There is no route POST /v1/_mock/faults in petstore-mock. The control API is at /_mock/faults',
  )
})

describe('a handler that did not respond', () => {
  const nothing = () => undefined
  const reasons = 'did not respond: it returned nothing, or has another method, origin or base path than /v1'

  test.each([
    ['GET', '/v1/toys/:id'],
    ['GET', '*/toys/:id'],
    ['GET', 'https://other.example/v1/toys/7'],
    ['GET', '/toys/:id'],
    ['GET', 'https://api.petstore.example/:kind/:id'],
    ['POST', '/v1/toys/:id'],
  ] as const)('%s %s is named in the 404', async (method, path) => {
    const mock = createMock({ handlers: [http.get('/other', nothing)] })
    mock.use(http[method === 'GET' ? 'get' : 'post'](path, nothing))
    expect(await ask(mock, '/v1/toys/7')).toBe(
      `There is no route GET /v1/toys/7 in petstore-mock. Your handler ${method} ${path} ${reasons}`,
    )
  })

  test.each<[string, Parameters<Mock['use']>[0]]>([
    ['another path', http.get('/toys', nothing)],
    ['a longer path', http.get('/a/v1/toys/:id/of', nothing)],
    ['a regular expression', http.get(/nowhere/, nothing)],
    ['a wildcard', http.get('*/games/*', nothing)],
  ])('is not one with %s', async (_, handler) => {
    const mock = createMock({ handlers: [handler] })
    expect(await ask(mock, '/v1/toys/7')).toBe('There is no route GET /v1/toys/7 in petstore-mock')
  })

  test('is named in the 501 of an operation that the specification does not define', async () => {
    const mock = createMock({ handlers: [http.get('/pets/:id', nothing)] })
    expect(await ask(mock, '/v1/pets/7')).toMatch(/does not define its response. Your handler GET \/pets\/:id /)
  })

  test('may be a stub', async () => {
    const mock = createMock({ stubs: [{ path: '/toys' }, { path: '/toys', method: 'PUT' }] })
    expect(await ask(mock, '/v1/toys', 'POST')).toBe(
      'There is no route POST /v1/toys in petstore-mock. The stub of this path is for another method: GET, HEAD, PUT',
    )
  })
})

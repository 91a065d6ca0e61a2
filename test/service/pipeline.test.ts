import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'

const SUNSET = 'Wed, 01 Dec 2027 00:00:00 GMT'
const AUTHORIZED = { authorization: 'Bearer demo-key' }

function createSunsetting(options: MockOptions = {}) {
  return createMock({ sunset: new Date(SUNSET), prefer: true, ...options })
}

describe('the key check of an operation', () => {
  test('comes before a handler of the user’s own', async () => {
    const asked: string[] = []
    const mock = createMock()
    mock.use(http.get('*/v1/pets/:petId', ({ request }) => void asked.push(request.url)))
    expect((await mock.fetch('/v1/pets/7')).status).toBe(401)
    expect(asked).toEqual([])
    expect((await mock.fetch('/v1/pets/7', { headers: AUTHORIZED })).status).toBe(501)
    expect(asked).toHaveLength(1)
  })

  test('is not asked of a path that is no operation, where a handler of the user’s own answers', async () => {
    const mock = createMock()
    mock.use(http.get('*/v1/own', () => HttpResponse.json('mine')))
    expect((await mock.fetch('/v1/own')).status).toBe(200)
  })
})

describe('Sunset on a deprecated operation', () => {
  test.each<[string, (mock: ReturnType<typeof createMock>) => Promise<Response>, number]>([
    ['its own response', (mock) => mock.fetch('/v1/pets/7', { headers: AUTHORIZED }), 501],
    ['a 401', (mock) => mock.fetch('/v1/pets/7'), 401],
    [
      'a fault',
      (mock) => {
        mock.faults.add({ operation: 'getPet', status: 503 })
        return mock.fetch('/v1/pets/7', { headers: AUTHORIZED })
      },
      503,
    ],
    [
      'a handler of the user’s own',
      (mock) => {
        mock.use(http.get('*/v1/pets/:petId', () => HttpResponse.json({ name: 'Rex' })))
        return mock.fetch('/v1/pets/7', { headers: AUTHORIZED })
      },
      200,
    ],
  ])('is on %s', async (_, ask, status) => {
    const response = await ask(createSunsetting())
    expect([response.status, response.headers.get('sunset')]).toEqual([status, SUNSET])
  })

  test('is on no other operation, and nowhere without a date', async () => {
    const stable = await createSunsetting().fetch('/v1/inventory', { headers: AUTHORIZED })
    const undated = await createMock().fetch('/v1/pets/7', { headers: AUTHORIZED })
    expect([stable.headers.get('sunset'), undated.headers.get('sunset')]).toEqual([null, null])
  })
})

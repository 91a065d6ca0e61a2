import { describe, expect, test } from 'vitest'
import { createMock, type Mock, type Profile } from '../../src/index.ts'

interface Sent {
  readonly petId?: string
  readonly authorization?: string
  readonly body?: string
  /** `null` sends none. */
  readonly contentType?: string | null
}

async function update(
  mock: Mock,
  { petId = '1', authorization = 'Bearer demo-key', body = '{"quantity":5}', contentType = 'application/json' }: Sent,
) {
  const headers = { authorization, ...(contentType !== null && { 'content-type': contentType }) }
  const bytes = new TextEncoder().encode(body)
  const response = await mock.fetch(`/v1/inventory/${petId}`, { method: 'PATCH', headers, body: bytes })
  const json = (await response.json()) as { readonly code?: string; readonly status: unknown }
  return { status: response.status, code: json.code, headers: response.headers }
}

const WRONG_KEY = 'Bearer wrong'

describe('a profile', () => {
  test.each<[Profile, Sent, number, number]>([
    [{ $schema: 'a.json', description: 'Ours', malformedPetId: 404 }, { petId: 'abc' }, 400, 404],
    [{ malformedPetId: 404 }, { petId: '9223372036854775808' }, 400, 404],
    [{ malformedPetId: 404 }, { petId: '-9223372036854775809' }, 400, 404],
    [{ malformedPetId: 404 }, { petId: '007' }, 400, 404],
    [{ malformedPetId: 404 }, { petId: '9223372036854775807' }, 404, 404],
    [{ quantity: { min: 0 } }, { body: '{"quantity":-1}' }, 200, 400],
    [{ quantity: { max: 7 } }, { body: '{"quantity":7}' }, 200, 200],
    [{ quantity: { max: 7 } }, { body: '{"quantity":8}' }, 200, 400],
    [{ unknownProperties: 'reject' }, { body: '{"quantity":5,"other":1}' }, 200, 400],
    [{ unknownProperties: 'reject' }, {}, 200, 200],
    [{ otherContentType: 'accept' }, { contentType: 'text/plain' }, 400, 200],
    [{ otherContentType: 'accept' }, { contentType: null }, 400, 400],
  ])('%j: %j is %i, and %i with it', async (profile, sent, without, status) => {
    expect(await update(createMock(), sent)).toMatchObject({ status: without })
    expect(await update(createMock({ profile }), sent)).toMatchObject({ status })
  })

  test('renames the codes of the operations, and of nothing else', async () => {
    const mock = createMock({ profile: { codes: { 400: 'E400', 401: 'E401', 404: 'E404' } } })
    expect(await update(mock, { body: '{}' })).toMatchObject({ status: 400, code: 'E400' })
    expect(await update(mock, { authorization: WRONG_KEY })).toMatchObject({ status: 401, code: 'E401' })
    expect(await update(mock, { petId: '4000' })).toMatchObject({ status: 404, code: 'E404' })
    const elsewhere = await mock.fetch('/v1/elsewhere')
    expect(await elsewhere.json()).toMatchObject({ code: 'not_found' })
  })

  test('leaves WWW-Authenticate out', async () => {
    const mock = createMock({ profile: { challenge: 'omit' } })
    const { status, headers } = await update(mock, { authorization: WRONG_KEY })
    expect([status, headers.get('www-authenticate')]).toEqual([401, null])
  })

  test('keeps a request without a valid key from handlers and stubs, whatever the order', async () => {
    const mock = createMock({
      profile: { order: '400, 404, 401' },
      stubs: [{ path: '/pets/{petId}', body: {} }],
    })
    const get = (authorization: string): Promise<Response> => mock.fetch('/v1/pets/1', { headers: { authorization } })
    expect((await get(WRONG_KEY)).status).toBe(401)
    expect((await get('Bearer demo-key')).status).toBe(200)
  })

  test('gives way to the option quantity, bound by bound', async () => {
    const mock = createMock({ profile: { quantity: { min: 0, max: 9 } }, quantity: { max: 20 } })
    expect(await update(mock, { body: '{"quantity":20}' })).toMatchObject({ status: 200 })
    expect(await update(mock, { body: '{"quantity":-1}' })).toMatchObject({ status: 400 })
  })
})

import { HttpResponse, http } from 'msw'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serveChecked, type Violation } from '../../src/check/serve-checked.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { toWireAnswer, type WireAnswer, type WireRequest } from '../contract.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key' }
const LIST: WireRequest = { method: 'GET', path: '/v1/inventory', headers: AUTHORIZED }

describe('serveChecked', () => {
  const mock: Mock = createMock({ fixture: 'int64-edges' })
  const violations: Violation[] = []
  let server: RunningServer

  beforeAll(async () => {
    server = await serveChecked(mock, { onViolation: (violation) => violations.push(violation) })
  })
  afterAll(() => server?.close())
  beforeEach(() => {
    mock.reset()
    violations.length = 0
  })

  async function send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    return toWireAnswer(await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) }))
  }

  test('does not touch the answer to a preflight', async () => {
    const headers = { origin: 'http://page.example', 'access-control-request-method': 'PATCH' }
    const answer = await send({ method: 'OPTIONS', path: '/v1/inventory/1', headers })
    expect(answer).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'PATCH' } })
  })

  test('reports an answer that breaks the specification, and sends it as it is', async () => {
    const body = '[{"petId":9223372036854775807, "quantity":"5", "status":"sold"}]'
    const headers = { 'content-type': 'application/json', 'x-extra': 'kept', 'set-cookie': 'a=b' }
    mock.use(http.get('*/v1/inventory', () => new HttpResponse(body, { headers })))
    const answer = await send({ ...LIST, path: '/v1/inventory?a=b' })
    expect(answer).toMatchObject({ status: 200, body, headers })
    const message = 'Response body property 0.quantity must be integer'
    expect(violations).toEqual([{ method: 'GET', path: '/v1/inventory', status: 200, violations: [message] }])
  })

  test.for<[string, () => Response, RegExp]>([
    ['a status that is not listed', () => HttpResponse.json({}, { status: 503 }), /^The status 503/],
    ['501', () => HttpResponse.json({}, { status: 501 }), /^The status 501/],
    ['a redirect', () => HttpResponse.redirect('http://127.0.0.1:1/', 307), /^The status 307/],
    ['no content', () => new HttpResponse(null, { status: 204 }), /^The status 204/],
    ['a media type that would end Prism', () => new HttpResponse('[]', { headers: { 'content-type': 'é' } }), /"é"/],
  ])('reports %s', async ([, respond, expected]) => {
    mock.use(http.get('*/v1/inventory', respond))
    const response = await fetch(server.url + LIST.path, { headers: AUTHORIZED, redirect: 'manual' })
    expect(response.status).toBe(respond().status)
    expect(violations).toEqual([
      { method: 'GET', path: LIST.path, status: respond().status, violations: [expect.stringMatching(expected)] },
    ])
  })

  test('hands on a network error', async () => {
    mock.use(http.get('*/v1/inventory', () => HttpResponse.error()))
    await expect(send(LIST)).rejects.toThrow('fetch failed')
    expect(violations).toEqual([])
  })

  test('answers many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(LIST)))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(violations).toEqual([])
  })
})

test('serveChecked leaves nothing running where the port is taken', async () => {
  await using server = await serve(createMock())
  await expect(serveChecked(createMock(), { onViolation() {}, port: server.port })).rejects.toMatchObject({
    code: 'SERVER_START',
  })
})

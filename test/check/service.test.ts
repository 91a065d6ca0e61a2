import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { toEvidence } from '../../src/check/check-case.ts'
import { NO_KEY } from '../../src/check/keys.ts'
import type { CaseEnd } from '../../src/check/report.ts'
import { ask, type CheckedService } from '../../src/check/service.ts'
import { Session } from '../../src/check/session.ts'
import { Sightings } from '../../src/check/sightings.ts'
import { surveyService } from '../../src/check/survey.ts'
import { startTarget } from '../wire/start-server.ts'

const GET = { operation: 'listInventory' } as const

async function serve(respond: (response: ServerResponse) => void): Promise<CheckedService> {
  return { url: await startTarget((_request, response) => respond(response)), apiKey: 'demo-key' }
}

describe('ask', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['end of the response', (response) => void response.write('{"inventory":[')],
    ['response', () => {}],
  ])('says that there is no %s', async (missing, respond) => {
    const message = `no ${missing} within 1 seconds`
    const service = { ...(await serve(respond)), responseLimitMs: 1000 }
    expect(await ask(service, GET)).toMatchObject({ status: 0, text: message, failure: 'timeout' })
  })
})

test.each([
  ['ECONNREFUSED', 1],
  ['ENOTFOUND', 1],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 1],
  ['ECONNRESET', 2],
])('a service that begins with %s is asked %i times', async (code, times) => {
  const url = 'http://127.0.0.1:1/v1'
  let count = 0
  const fetch = async (): Promise<Response> => {
    count += 1
    if (count === 2) return Response.json([])
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('why'), { code }) })
  }
  const survey = surveyService({ url, apiKey: 'k', fetch }, { timeout: new AbortController().signal })
  const error = await survey.then(Boolean, ({ code }: Error & { code: string }) => code)
  expect([error, count]).toEqual([times === 2 || 'CHECK_FAILED', times])
})

test('the slowest response is noted if it takes two seconds', () => {
  const sightings = new Sightings()
  const ok = { status: 200, text: '[]' }
  sightings.add(ok, 1999)
  expect(sightings.toSentences()).toEqual([])
  sightings.add(ok, 8040)
  sightings.add(ok, 2000)
  expect(sightings.toSentences()).toEqual(['The slowest response took 8.0 s: that to request 2 of 3'])
})

test.each([
  [1, 'inconclusive'],
  [2, 'failed'],
])('an update is said to hang where the time is over at attempt %i, which makes it %s', async (last, verdict) => {
  const time = new AbortController()
  let updates = 0
  const fetch = async (_url: string, { method, signal }: RequestInit): Promise<Response> => {
    if (method === 'GET') return Response.json([])
    updates += 1
    if (updates === last) time.abort()
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const service = { url: 'http://service/v1', apiKey: 'k', fetch, responseLimitMs: 50 }
  const sent = new Session(service, { timeout: time.signal }).send({ operation: 'updateInventory' })
  const seen = await sent.then(
    ({ text }) => ['failed', text],
    (error: CaseEnd) => [error.finding.verdict, error.message],
  )
  const reason = 'no response within 0.05 seconds'
  expect(seen).toEqual([verdict, last === 2 ? reason : `the service sent no complete response: ${reason}`])
})

describe('the evidence of a report', () => {
  const apiKey = 'sekrit-KEY-abcdefghijklmnop'
  const answer = { status: 403, headers: new Headers(), body: new Uint8Array(), json: undefined }

  test('hides a key that a service repeats before it cuts a long body', () => {
    for (let before = 250; before < 310; before += 1) {
      const exchange = { ...answer, request: GET, text: 'z'.repeat(before) + apiKey }
      const { response } = toEvidence(exchange, { url: 'http://127.0.0.1:1', apiKey })
      expect(response).not.toContain('sekrit')
    }
  })

  test('names the credentials among the headers by a variable, also where the service repeats them', () => {
    const headers = {
      'x-api-key': 'SECRET-1',
      cookie: 'session=SECRET-2',
      authorization: 'Basic SECRET-3',
      'x-tenant': "o'7",
    }
    const body = '{"quantity":1}'
    const request = { operation: 'updateInventory', petId: '7', body, key: NO_KEY } as const
    const exchange = { ...answer, request, text: 'got SECRET-1, SECRET-3 and session=SECRET-2' }
    expect(toEvidence(exchange, { url: 'http://127.0.0.1:1', apiKey, headers })).toEqual({
      request: `curl -X PATCH 'http://127.0.0.1:1/inventory/7' -H 'authorization: '"$AUTHORIZATION" -H 'content-type: application/json' -H 'cookie: '"$COOKIE" -H 'x-api-key: '"$X_API_KEY" -H 'x-tenant: o'\\''7' --data-binary '{"quantity":1}'`,
      response: '403 got (hidden), (hidden) and (hidden)',
    })
  })
})

import axios from 'axios'
import { HttpResponse, http } from 'msw'
import { expect } from 'vitest'
import type { Mock, MockOptions } from '../../src/index.ts'

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** In milliseconds; `undefined` for a client that waits. */
  readonly patience?: number
}

/** Sends a request and reads the whole response. Rejects where the connection or the response's body breaks. */
export type Send = (origin: string, request: SentRequest) => Promise<unknown>

interface Outcome {
  readonly options?: MockOptions
  readonly prepare?: (mock: Mock) => unknown
  readonly request?: Partial<SentRequest>
  readonly isUpdate?: boolean
}

const BODY = '{"quantity":20}'
const HEADERS = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
export const LEFT_UNREAD = http.patch('*/v1/inventory/:petId', () => HttpResponse.json({}))
const READ = http.patch('*/v1/inventory/:petId', async ({ request }) => HttpResponse.json(await request.json()))

/** What can become of an update. The body must be in the journal each time. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  success: {},
  400: { request: { path: '/v1/inventory/abc' } },
  401: { request: { headers: { 'content-type': 'application/json' } } },
  '404 of a route': { request: { path: '/v1/nowhere' }, isUpdate: false },
  '503 of a fault': { prepare: (mock) => mock.faults.add({ status: 503 }) },
  network: { prepare: (mock) => mock.faults.add({ error: 'network' }) },
  timeout: { prepare: (mock) => mock.faults.add({ error: 'timeout' }), request: { patience: 500 } },
  truncated: { prepare: (mock) => mock.faults.add({ error: 'truncated' }) },
  'a stub': {
    options: { stubs: [{ method: 'POST', path: '/store/orders', status: 201 }] },
    request: { method: 'POST', path: '/v1/store/orders' },
    isUpdate: false,
  },
  'a handler that does not read it': { options: { handlers: [LEFT_UNREAD] } },
  'a handler that reads it': { options: { handlers: [READ] } },
  'a proxy that is down': {
    options: { proxy: 'http://127.0.0.1:1' },
    request: { method: 'POST', path: '/v1/own' },
    isUpdate: false,
  },
}

/** Sends an update. Its body must be in the journal as soon as the client knows how it ended. */
export async function expectSent(
  send: Send,
  { mock, origin = '', outcome }: { mock: Mock; origin?: string; outcome: Outcome },
): Promise<void> {
  outcome.prepare?.(mock)
  const request = { method: 'PATCH', path: '/v1/inventory/1', headers: HEADERS, body: BODY, ...outcome.request }
  await send(origin, request).catch(() => {})
  expect(mock.journal.last()?.request.body).toBe(BODY)
  const updates = mock.journal.find({ operation: 'updateInventory', body: { quantity: 20 } })
  expect(updates).toHaveLength(outcome.isUpdate === false ? 0 : 1)
}

export const sendByFetch: Send = async (origin, { path, ...request }) =>
  (await fetch(origin + path, toInit(request))).text()

export function toInit({ method, headers, body, patience }: Omit<SentRequest, 'path'>): RequestInit {
  return { method, headers, body, ...(patience !== undefined && { signal: AbortSignal.timeout(patience) }) }
}

/** Through `node:http`, or in jsdom and pages through XMLHttpRequest. */
export const sendByAxios: Send = (origin, { path, method, headers, body, patience }) =>
  axios.request({
    url: origin + path,
    method,
    headers,
    data: JSON.parse(body),
    signal: AbortSignal.timeout(patience ?? 60_000),
  })

export const sendByXhr: Send = (origin, { path, method, headers, body, patience = 0 }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, origin + path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.addEventListener('load', resolve)
    for (const type of ['error', 'abort', 'timeout']) request.addEventListener(type, reject)
    request.send(body)
    if (patience > 0) setTimeout(() => request.abort(), patience)
  })

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadPrism } from '../../src/check/prism.ts'
import { createMock, MockError } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'

interface Ask {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const TOKEN = { 'x-mock-control-token': 'secret' }
const yaml = await readFile(new URL('../../spec/control.openapi.yaml', import.meta.url), 'utf8')
const { paths } = parse(yaml) as { paths: Record<string, Record<string, { responses?: Record<string, object> }>> }

const ASKED: readonly [method: string, path: string, status: number, ask?: Ask][] = [
  ['GET', '/journal', 200],
  ['GET', '/journal?operation=updateInventory&petId=1&status=503&after=0&limit=1', 200],
  ['GET', '/journal?limit=none', 400],
  ['GET', '/journal.har', 200],
  ['DELETE', '/journal', 204],
  ['GET', '/health', 200],
  ['GET', '/health?sandbox=a', 200],
  ['GET', '/health?sandbox=%20', 400],
  ['GET', '/health', 401, { headers: { 'x-mock-control-token': 'wrong' } }],
  ['GET', '/health', 403, { headers: { origin: 'http://elsewhere.example' } }],
  ['GET', '/state', 200],
  ['PUT', '/state', 200, { body: { inventory: [{ petId: '9007199254740991', quantity: -1, status: 'sold' }] } }],
  ['PUT', '/state', 400, { body: { inventory: [{ petId: 1 }] } }],
  ['POST', '/state/save', 204],
  ['POST', '/state/save', 500],
  ['POST', '/reset', 200],
  ['POST', '/reset?sandbox=a', 404],
  ['GET', '/fixtures', 200],
  ['POST', '/load', 200, { body: { fixture: 'low-stock' } }],
  ['POST', '/load', 400, { body: { fixture: 'none' } }],
  ['GET', '/state?limit=1', 200],
  ['GET', '/pets/1', 200],
  ['GET', '/pets/404', 404],
  ['PUT', '/pets/1', 200, { body: { quantity: 7 } }],
  ['PUT', '/pets/404', 201, { body: { quantity: 7, status: 'pending' } }],
  ['PUT', '/pets/1', 400, { body: { quantity: 'seven' } }],
  ['DELETE', '/pets/404', 204],
  ['DELETE', '/pets/404', 404],
  ['PUT', '/pets', 200, { body: [{ petId: 1, quantity: 7, status: 'sold' }] }],
  ['PUT', '/pets', 400, { body: [{ petId: 1, quantity: 7 }] }],
  ['PUT', '/state?fixture=keep', 200, { body: { inventory: [] } }],
  ['POST', '/reset?fixture=keep&sandboxes=all', 200],
  ['POST', '/faults', 201, { body: { operation: 'updateInventory', petId: 1, status: 503, body: [1], retryAfter: 2 } }],
  ['POST', '/faults', 201, { body: { statuses: [503, 200], after: 1, every: 2 } }],
  ['POST', '/faults', 201, { body: { rateLimit: { requests: 100, window: 60_000 } } }],
  ['POST', '/faults', 201, { body: { error: 'network', probability: 0.5, times: 3, delay: [1, 2] } }],
  ['POST', '/faults', 400, { body: { status: 99 } }],
  ['GET', '/faults', 200],
  ['DELETE', '/faults/3', 204],
  ['DELETE', '/faults/3', 404],
  ['DELETE', '/faults', 204],
  ['PUT', '/delay', 200, { body: { delay: [0, 1] } }],
  ['GET', '/delay', 200],
  ['PUT', '/delay', 200, { body: { delay: null } }],
  ['PUT', '/delay', 400, { body: { delay: -1 } }],
  ['POST', '/clock', 400, { body: { advance: 5 } }],
  ['POST', '/clock', 200, { body: { mode: 'virtual' } }],
  ['POST', '/clock', 200, { body: { advance: 5 } }],
  ['GET', '/clock', 200],
  ['POST', '/clock', 200, { body: { mode: 'real' } }],
  ['PUT', '/pets/1?sandbox=a', 200, { body: { quantity: 7 } }],
  ['GET', '/sandboxes', 200],
  ['DELETE', '/sandboxes/a', 204],
  ['DELETE', '/sandboxes/a', 404],
  ['DELETE', '/sandboxes/default', 400],
  ['GET', '/spec.json', 200],
  ['GET', '/spec.yaml', 200],
  ['GET', '/openapi.json', 200],
]

// The stream of events has no end: test/control/event-feed.test.ts.
const NOT_ASKED = ['GET /events']

// In their order also where a run is shuffled: each request leaves what the next ones find.
describe('the control API keeps its own contract', { shuffle: false }, () => {
  let server: RunningServer
  const { getHttpOperationsFromSpec, validateOutput } = loadPrism()
  let operations: Awaited<ReturnType<typeof getHttpOperationsFromSpec>>
  beforeAll(async () => {
    const saves = [Promise.resolve(), Promise.reject(new MockError('STATE_SAVE', 'The disk is full.'))]
    saves[1]?.catch(() => {})
    const mock = createMock({ saveState: async () => saves.shift() })
    server = await serve(mock, { controlToken: 'secret' })
    operations = await getHttpOperationsFromSpec(parse(yaml))
    // A journal with an update that failed, one that did not, and one that got no answer.
    mock.faults.add({ status: 503, times: 1 })
    await update()
    await update()
    mock.faults.add({ error: 'network', times: 1 })
    await update().catch(() => {})
  })
  afterAll(async () => {
    await server?.close()
  })

  function update(): Promise<Response> {
    return fetch(`${server.url}/v1/inventory/1`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: '{"quantity":1}',
    })
  }

  test.each(ASKED)('%s %s answers %i', async (method, path, status, { body, headers } = {}) => {
    const answer = await fetch(`${server.url}/_mock${path}`, {
      method,
      headers: { ...TOKEN, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([status, expect.anything()])
    const resource = operations.find((each) => each.method === method.toLowerCase() && each.path === toTemplate(path))
    const type = answer.headers.get('content-type') ?? ''
    const element = {
      statusCode: status,
      headers: Object.fromEntries(answer.headers),
      body: type.includes('json') ? JSON.parse(text) : text,
    }
    if (resource === undefined) throw new Error(`${method} ${path} is not in the document`)
    expect(validateOutput({ resource, element })).toMatchObject({ _tag: 'Right' })
  })

  test('and every route of it is asked here', () => {
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const asked = new Set(ASKED.map(([method, path]) => `${method} ${toTemplate(path)}`))
    expect(routes.filter((route) => !asked.has(route) && !NOT_ASKED.includes(route))).toEqual([])
  })
})

function toTemplate(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replace(/^\/pets\/.*/, '/pets/{petId}')
    .replace(/^\/faults\/.*/, '/faults/{id}')
    .replace(/^\/sandboxes\/.*/, '/sandboxes/{name}')
}

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROUTE_LIST } from '../../src/control/answer-control.ts'
import { createMock, type Mock } from '../../src/index.ts'

const specification = new URL('../../spec/openapi.yaml', import.meta.url)

describe('the control API', () => {
  test('GET /_mock/health tells what is served', async () => {
    const mock = createMock({ fixture: 'low-stock' })
    await send(mock, 'PUT', '/_mock/pets/99?sandbox=a', { quantity: 1, status: 'sold' })
    expect(await json(mock, 'GET', '/_mock/health')).toEqual({
      status: 'ok',
      basePath: '/v1',
      hasDemoKey: true,
      delay: 0,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      specificationVersion: '1.0.0',
      fixture: 'low-stock',
      pets: 10,
      sandboxes: 1,
    })
    expect(await json(mock, 'GET', '/_mock/health?sandbox=a')).toMatchObject({ pets: 11 })
  })

  test('the state is a fixture: what GET gives, PUT takes, ids exact', async () => {
    const mock = createMock({ fixture: 'int64-edges' })
    const state = await (await send(mock, 'GET', '/_mock/state')).text()
    expect(state).toContain('"petId":9223372036854775807,')
    const other = createMock({ fixture: 'empty' })
    expect((await send(other, 'PUT', '/_mock/state', state)).status).toBe(200)
    expect(other.inventory.list()).toEqual(mock.inventory.list())
  })

  test('PUT /_mock/pets adds and changes many pets as one change, ids exact', async () => {
    const mock = createMock()
    const seen: unknown[] = []
    mock.onChange(({ type }) => seen.push(type))
    const text =
      '[{"petId":9223372036854775807,"quantity":7,"status":"sold"},{"petId":5,"quantity":1,"status":"pending"}]'
    const answer = await send(mock, 'PUT', '/_mock/pets', text)
    expect([answer.status, await answer.text(), seen]).toEqual([200, text, ['state']])
    const list = mock.inventory.list()
    expect([list.length, list[4], list[10]]).toEqual([
      11,
      { petId: 5, quantity: 1, status: 'pending' },
      { petId: 9223372036854775807n, quantity: 7, status: 'sold' },
    ])
  })

  test('PUT /_mock/pets names every problem, and changes nothing', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    const answer = await send(mock, 'PUT', '/_mock/pets', [
      { petId: 5, quantity: 1, status: 'sold' },
      { petId: 6, quantity: 1.5, status: 'sold' },
      { petId: 5, quantity: 2, status: 'sold' },
      { petId: 7, quantity: 2 },
    ])
    const { code, message } = (await answer.json()) as Record<string, string>
    expect([answer.status, code, message?.split('\n')]).toEqual([
      400,
      'invalid_request',
      [
        expect.stringMatching(/^\[1\]\.quantity: must be an integer .*, got 1\.5/),
        '[2].petId: 5 is already used by [0]',
        '[3].status: is required',
      ],
    ])
    expect(mock.inventory.list()).toEqual(before)
  })

  test('PUT /_mock/state?fixture=keep puts a state back over the fixture that is loaded', async () => {
    const mock = createMock({ fixture: 'low-stock' })
    mock.load('default')
    mock.inventory.remove(3)
    mock.inventory.set(5, { quantity: 1 })
    mock.inventory.add({ petId: '9223372036854775807', quantity: 7, status: 'sold' })
    const before = await (await send(mock, 'GET', '/_mock/state')).text()
    const back = () => send(mock, 'PUT', '/_mock/state?fixture=keep', before)
    mock.inventory.add({ petId: 3, quantity: 3, status: 'sold' })
    for (const petId of [1, 5]) mock.inventory.remove(petId)
    expect(await (await back()).text()).toBe(before)
    await send(mock, 'POST', '/_mock/reset?fixture=keep')
    expect([mock.inventory.get(5)?.quantity, mock.inventory.size]).toEqual([25, 10])
    expect(await (await back()).text()).toBe(before)
    expect(await json(mock, 'GET', '/_mock/health')).toMatchObject({ fixture: 'default' })
    expect((await send(mock, 'PUT', '/_mock/state?fixture=keep', { inventory: [{}] })).status).toBe(400)
    expect(await (await send(mock, 'GET', '/_mock/state')).text()).toBe(before)
  })

  test('pets are added, changed and taken out', async () => {
    const mock = createMock({ fixture: 'empty' })
    const path = '/_mock/pets/9223372036854775807'
    const text = '{"petId":9223372036854775807,"quantity":1,"status":"pending"}'
    const added = await send(mock, 'PUT', path, { quantity: 1, status: 'pending' })
    expect([added.status, await added.text()]).toEqual([201, text])
    const changed = await send(mock, 'PUT', path, { status: 'sold' })
    expect([changed.status, await changed.text()]).toEqual([200, text.replace('pending', 'sold')])
    const removed = await send(mock, 'DELETE', path)
    expect([removed.status, await removed.text()]).toEqual([204, ''])
    expect((await send(mock, 'DELETE', path)).status).toBe(404)
  })

  test('sandboxes are listed and forgotten; the default one stays', async () => {
    const mock = createMock()
    await json(mock, 'POST', '/_mock/load?sandbox=a', { fixture: 'empty' })
    await send(mock, 'PUT', '/_mock/pets/1', { quantity: 5 })
    expect(await json(mock, 'GET', '/_mock/sandboxes')).toEqual([
      { name: 'default', fixture: 'default', pets: 10, changes: 1 },
      { name: 'a', fixture: 'empty', pets: 0, changes: 0 },
    ])
    expect((await send(mock, 'DELETE', '/_mock/sandboxes/a')).status).toBe(204)
    expect((await send(mock, 'DELETE', '/_mock/sandboxes/a')).status).toBe(404)
    expect((await send(mock, 'DELETE', '/_mock/sandboxes/default')).status).toBe(400)
    expect(mock.sandbox('a').inventory.list()).toHaveLength(10)
  })

  test('a route of the whole mock opens none, and refuses a name that none can have', async () => {
    const mock = createMock()
    expect((await send(mock, 'DELETE', '/_mock/sandboxes/a?sandbox=a')).status).toBe(404)
    expect(await json(mock, 'GET', '/_mock/sandboxes?sandbox=a')).toHaveLength(1)
    expect((await send(mock, 'GET', '/_mock/sandboxes?sandbox=a%20b')).status).toBe(400)
  })

  test('reading a sandbox does not create it, and resetting one that does not exist is a 404', async () => {
    const mock = createMock()
    for (const path of ['health', 'state', 'pets/1', 'journal', 'journal.har', 'faults', 'delay', 'state?limit=1'])
      expect((await send(mock, 'GET', `/_mock/${path}${path.includes('?') ? '&' : '?'}sandbox=a`)).status).toBe(200)
    expect(await json(mock, 'GET', '/_mock/sandboxes')).toHaveLength(1)

    await json(mock, 'PUT', '/_mock/pets/1?sandbox=checkout-7', { quantity: 1 })
    const response = await send(mock, 'POST', '/_mock/reset?sandbox=chekout-7')
    const message = expect.stringContaining('Did you mean checkout-7?')
    expect(await response.json()).toEqual({ code: 'unknown_sandbox', message, status: 404 })
    expect(mock.sandbox('checkout-7').inventory.get(1)?.quantity).toBe(1)

    expect((await send(mock, 'POST', '/_mock/reset?sandbox=checkout-7')).status).toBe(200)
    expect((await send(mock, 'POST', '/_mock/reset?sandbox=a&sandboxes=all')).status).toBe(200)
    expect(await json(mock, 'GET', '/_mock/sandboxes')).toHaveLength(2)
  })

  test('a reset of all sandboxes may keep the fixture that each has loaded', async () => {
    const mock = createMock()
    const sandboxes = [mock, mock.sandbox('a')]
    mock.load('low-stock')
    for (const { inventory } of sandboxes) inventory.remove(1)
    await send(mock, 'POST', '/_mock/reset?sandboxes=all&fixture=keep')
    expect(sandboxes.map(({ inventory }) => inventory.get(5)?.quantity)).toEqual([1, 25])
  })

  test('a reset that keeps the fixture gives stored pets those of the fixture as it is now', async () => {
    const inventory = (quantity: number) => ({ inventory: [{ petId: 1, quantity, status: 'available' as const }] })
    const before = createMock({ fixture: inventory(1) })
    const [edited, named] = [createMock({ fixture: inventory(2) }), createMock({ fixtures: { own: inventory(2) } })]
    edited.importState(before.exportState())
    named.importState(createMock({ fixtures: { own: inventory(1) } }).exportState())
    for (const mock of [edited, named]) {
      expect(mock.inventory.get(1)?.quantity).toBe(1)
      await send(mock, 'POST', '/_mock/reset?fixture=keep')
      expect(mock.inventory.get(1)?.quantity).toBe(2)
    }

    edited.load(inventory(3))
    await send(edited, 'POST', '/_mock/reset?fixture=keep')
    expect(edited.inventory.get(1)?.quantity).toBe(3)
  })

  test('a response without content is not to be stored, and has no type', async () => {
    const mock = createMock()
    for (const path of ['/_mock/journal', '/_mock/faults', '/_mock/pets/1']) {
      const answer = await send(mock, 'DELETE', path)
      const headers = { 'cache-control': 'no-store' }
      expect([answer.status, Object.fromEntries(answer.headers), await answer.text()]).toEqual([204, headers, ''])
    }
  })

  test('the specification is served as it is written, and as JSON', async () => {
    const mock = createMock()
    const yaml = await readFile(specification, 'utf8')
    const served = await send(mock, 'GET', '/_mock/spec.yaml')
    expect(served.headers.get('content-type')).toBe('application/yaml')
    expect(await served.text()).toBe(yaml)
    expect(await json(mock, 'GET', '/_mock/spec.json')).toEqual(parse(yaml))
  })

  test.each([
    ['/api/v2', '/api/v2'],
    ['/', '/'],
    ['https://pets.example/"quoted"/$1/', 'https://pets.example/%22quoted%22/$1'],
  ])('with the base URL %s the specification names %s as its server', async (baseUrl, url) => {
    const mock = createMock({ baseUrl })
    const served: unknown = parse(await (await send(mock, 'GET', '/_mock/spec.yaml')).text())
    expect(served).toEqual({ ...parse(await readFile(specification, 'utf8')), servers: [{ url }] })
    expect(await json(mock, 'GET', '/_mock/spec.json')).toEqual(served)
  })

  test.each(ROUTE_LIST)('$method $path refuses a query parameter that it does not have', async ({ method, path }) => {
    const url = `/_mock${path.replaceAll(/\{\w+\}/g, '1')}`
    const refused = await send(createMock(), method, `${url}?querry=1`)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('querry is not known')])
  })

  test.each<[string, string, unknown, number, RegExp]>([
    ['GET', '/_mock/', undefined, 404, /no control route GET \/_mock\//],
    ['GET', '/_mock/unknown', undefined, 404, /no control route/],
    ['DELETE', '/_mock/state', undefined, 405, /DELETE is not allowed on \/_mock\/state\. Allowed: GET, HEAD, PUT/],
    ['GET', '/_mock/state?sandbox=a%20b', undefined, 400, /"a b" is not a valid name/],
    ['PUT', '/_mock/state', '[]', 400, /body must be a fixture, got .*Wrap it/],
    ['PUT', '/_mock/state', '"low-stock"', 400, /body must be a fixture, got .*use POST \/_mock\/load/],
    ['POST', '/_mock/load', '{"fixture":"nope"}', 400, /none named "nope"/],
    ['POST', '/_mock/load', '{"fixtures":"empty"}', 400, /fixtures is not known\. Did you mean fixture\?/],
    ['POST', '/_mock/load', '{"fixture":null}', 400, /fixture must be/],
    ['PUT', '/_mock/delay', '{}', 400, /delay is required/],
    ['PUT', '/_mock/delay', '[]', 400, /The body must be an object with delay, got /],
    ['PUT', '/_mock/pets', '{}', 400, /The body must be a list of pets, got /],
    ['PUT', '/_mock/pets/1.5', '{}', 400, /petId: the id must be an int64/],
    ['PUT', '/_mock/pets/404', '{"quantity":1}', 400, /status is required/],
    ['PUT', '/_mock/pets/1', '{}', 400, /it needs quantity or status/],
    ['PUT', '/_mock/pets/1', '{"quantity":"1"}', 400, /quantity must be an integer/],
    ['PUT', '/_mock/pets/1', '{"count":1}', 400, /count is not known\. Known: quantity, status/],
  ])('%s %s with %s is %i', async (method, path, body, status, message) => {
    const mock = createMock()
    const before = mock.inventory.list()
    const answer = await send(mock, method, path, body)
    expect(answer.status).toBe(status)
    const error = { code: expect.any(String), message: expect.stringMatching(message), status }
    expect(await answer.json()).toMatchObject(error)
    expect(mock.inventory.list()).toEqual(before)
  })
})

async function json(mock: Mock, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await send(mock, method, path, body)
  expect(answer.status).toBe(200)
  return answer.json()
}

function send(mock: Mock, method: string, path: string, body?: unknown): Promise<Response> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return mock.fetch(path, { method, ...(text !== undefined && { body: text }) })
}

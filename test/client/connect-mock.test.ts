import { afterAll, describe, expect, test } from 'vitest'
import { connectMock, type RemoteMock } from '../../src/client/connect-mock.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const mock = createMock({ journalSize: 2 })
const server = await serve(mock, { controlToken: 'secret' })
afterAll(() => server.close())
let count = 0

/** A sandbox of the server's mock, from both sides. */
function connect(): { remote: RemoteMock; local: ReturnType<Mock['sandbox']> } {
  count += 1
  const sandbox = `test-${count}`
  return { remote: connectMock(server.url, { sandbox, controlToken: 'secret' }), local: mock.sandbox(sandbox) }
}

function update(remote: RemoteMock, petId: number, quantity: number): Promise<Response> {
  return fetch(`${server.url}/v1/inventory/${petId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${remote.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity }),
  })
}

describe('connectMock', () => {
  test('acts on a sandbox of its own, whose key it tells', async () => {
    const { remote, local } = connect()
    expect([remote.name, remote.apiKey]).toEqual([local.name, local.apiKey])
    await remote.inventory.set(1, { quantity: 99 })
    expect((await update(remote, 2, 98)).status).toBe(200)
    expect([local.inventory.get(1)?.quantity, local.inventory.get(2)?.quantity]).toEqual([99, 98])
    expect(mock.inventory.get(1)?.quantity).toBe(12)
  })

  test('lists, gets, sets, adds and takes out pets, ids exact', async () => {
    const { remote, local } = connect()
    const edge = { petId: 9223372036854775807n, quantity: 0, status: 'sold' } as const
    expect(await remote.inventory.add(edge)).toEqual(edge)
    expect(await remote.inventory.get('9223372036854775807')).toEqual(edge)
    expect(await remote.inventory.set(edge.petId, { quantity: 5 })).toEqual({ ...edge, quantity: 5 })
    expect(await remote.inventory.list()).toEqual(local.inventory.list())
    expect(await remote.inventory.remove(edge.petId)).toBe(true)
    expect(await remote.inventory.remove(edge.petId)).toBe(false)
    expect(await remote.inventory.get(edge.petId)).toBeUndefined()
  })

  test('finds and counts pets as the mock itself does, ids exact', async () => {
    const { remote, local } = connect()
    local.inventory.add({ petId: 9223372036854775807n, quantity: 1, status: 'sold' })
    const query = { where: { petId: { gt: 9223372036854775806n } }, orderBy: { quantity: 'asc' }, take: 3 } as const
    expect(await remote.inventory.findMany(query)).toEqual(local.inventory.findMany(query))
    expect(await remote.inventory.findMany()).toEqual(local.inventory.list())
    const many = { where: { quantity: { gte: 10 } } }
    expect(await remote.inventory.count(many)).toBe(local.inventory.count(many))
    for (const other of [{ orderBy: { quantity: 'asc' } }, { take: 1 }])
      await expect(remote.inventory.count(other as object)).rejects.toMatchObject({ code: 'INVALID_QUERY' })
    await expect(remote.inventory.findMany({ where: { quantity: { lower: 3 } } as never })).rejects.toThrow(
      'where.quantity.lower is not known',
    )
  })

  test.each<[string, (remote: RemoteMock) => Promise<unknown>, string]>([
    ['an unknown pet', (remote) => remote.inventory.set(404, { quantity: 1, status: 'sold' }), 'UNKNOWN_PET'],
    ['a known pet', (remote) => remote.inventory.add({ petId: 1, quantity: 1, status: 'sold' }), 'DUPLICATE_PET'],
    ['a petId that is none', async (remote) => remote.inventory.get(1.5), 'INVALID_PET'],
    ['a quantity that is none', (remote) => remote.inventory.set(1, { quantity: 1.5 }), 'INVALID_PET'],
    ['an unknown fixture', (remote) => remote.load('nope'), 'CONTROL_REFUSED'],
    ['a fault that is none', (remote) => remote.faults.add({ status: 42 }), 'INVALID_FAULT'],
    ['a delay that is none', (remote) => remote.setDelay(-1), 'CONTROL_REFUSED'],
    ['a delay that is no JSON', (remote) => remote.setDelay(Number.POSITIVE_INFINITY), 'INVALID_OPTION'],
    ['an unknown filter', (remote) => remote.journal.find({ state: 200 } as never), 'INVALID_FILTER'],
    ['a save without a file', (remote) => remote.save(), 'CONTROL_REFUSED'],
  ])('%s is one clear error', async (_, act, code) => {
    const { remote } = connect()
    const message = expect.stringMatching(/^Failed to /)
    await expect(act(remote)).rejects.toMatchObject({ name: 'MockError', code, message })
  })

  test('loads, takes snapshots, restores and resets', async () => {
    const { remote, local } = connect()
    await remote.load('int64-edges')
    const before = local.inventory.list()
    const snapshot = await remote.snapshot()
    await remote.load({ inventory: [{ petId: 2n ** 60n, quantity: 1, status: 'sold' }] })
    expect(local.inventory.list()).toEqual([{ petId: 2n ** 60n, quantity: 1, status: 'sold' }])
    await remote.restore(snapshot)
    expect(local.inventory.list()).toEqual(before)
    await remote.reset()
    expect(local.inventory.list()).toEqual(mock.sandbox('untouched').inventory.list())
  })

  test('a snapshot is the same here and elsewhere, and each restores the other', async () => {
    const { remote, local } = connect()
    local.load({ inventory: [3n, 1, 2n ** 60n].map((petId) => ({ petId, quantity: 1, status: 'sold' })) })
    local.inventory.set(1, { quantity: 7 })
    const [here, elsewhere] = [local.snapshot(), await remote.snapshot()]
    expect(here).toEqual(elsewhere)
    local.inventory.remove(3)
    expect(here).toEqual(elsewhere)
    await remote.restore(here)
    expect(await remote.snapshot()).toEqual(here)
    local.reset()
    local.restore(elsewhere)
    expect(local.snapshot()).toEqual(here)
  })

  test('reads the journal, also where entries were dropped', async () => {
    const { remote } = connect()
    await update(remote, 1, 5)
    await update(remote, 404, 6)
    expect(await remote.journal.entries()).toHaveLength(2)
    expect(await remote.journal.find({ operation: 'updateInventory', petId: 1n, status: 200 })).toHaveLength(1)
    expect((await remote.journal.find({ body: { quantity: 6 } })).map(({ petId }) => petId)).toEqual([404])
    expect(await remote.journal.last()).toMatchObject({ id: 2 })
    await update(remote, 2, 7)
    expect(await remote.journal.dropped()).toBe(1)
    await expect(remote.journal.find({ petId: 1 })).rejects.toMatchObject({ code: 'JOURNAL_INCOMPLETE' })
    await expect(remote.journal.last({ petId: 1 })).rejects.toMatchObject({ code: 'JOURNAL_INCOMPLETE' })
    expect(await remote.journal.last({ petId: 2 })).toMatchObject({ id: 3 })
    expect(await remote.journal.find({ after: 1 })).toHaveLength(2)
    await remote.journal.clear()
    expect(await remote.journal.entries()).toEqual([])
  })

  test('adds faults and delays', async () => {
    const { remote, local } = connect()
    const fault = await remote.faults.add({ petId: 2n ** 60n, status: 503 })
    expect(fault).toEqual({ petId: 2n ** 60n, status: 503, id: 1, used: 0 })
    await remote.faults.add({ status: 429, times: 1, retryAfter: 3 })
    const answer = await update(remote, 1, 1)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3'])
    expect(await remote.faults.list()).toEqual(local.faults.list())
    expect([await remote.faults.remove(fault.id), await remote.faults.remove(fault.id)]).toEqual([true, false])
    for (const id of [Number.NaN, 1.5, -1]) expect(await remote.faults.remove(id)).toBe(false)
    await remote.faults.add({ error: 'reset' })
    await remote.faults.clear()
    expect(local.faults.list()).toEqual([])
    await remote.setDelay([40, 50])
    await update(remote, 1, 1)
    expect((await remote.journal.last())?.duration).toBeGreaterThan(35)
    await remote.setDelay(undefined)
  })

  test('is forgotten at the end of its scope', async () => {
    const { remote } = connect()
    {
      await using scoped = remote
      await scoped.inventory.set(1, { quantity: 1 })
    }
    expect((await remote.inventory.get(1))?.quantity).toBe(12)
  })

  test('the default sandbox is reset instead', async () => {
    const other = createMock()
    const remote = connectMock('http://mock.test', { fetch: (url, init) => other.fetch(url, init) })
    await remote.inventory.set(1, { quantity: 1 })
    await remote.remove()
    expect(other.inventory.get(1)?.quantity).toBe(12)
    await remote.inventory.remove(1)
    await remote.sandbox('a').inventory.remove(1)
    await remote.resetAll()
    expect([other.inventory.size, other.sandbox('a').inventory.size]).toEqual([10, 10])
    expect(remote.sandbox('b').apiKey).toBe('demo-key~b')
  })

  test('errors say what to do', async () => {
    expect(() => connectMock('127.0.0.1:4100')).toThrow('such as http://127.0.0.1:4100, got "127.0.0.1:4100"')
    expect(() => connectMock(server.url, { sandbox: 'a b' })).toThrow(/"a b" is not a valid name/)
    await expect(connectMock('http://127.0.0.1:1').health()).rejects.toThrow(
      /^Failed to reach the mock at http:\/\/127\.0\.0\.1:1: .+\. Is it running there\?$/,
    )
    await expect(connectMock(server.url).health()).rejects.toThrow(
      'Failed to GET /_mock/health: the mock answered 401: The control token is missing or invalid',
    )
    expect((await connectMock(`${server.url}/v1`, { controlToken: 'secret' }).health()).status).toBe('ok')
  })

  test.each(['{"code":"not_found"}', '<p>'])('a 404 with %s is an error', async (body) => {
    const remote = connectMock('http://other.test', { fetch: async () => new Response(body, { status: 404 }) })
    await expect(remote.inventory.get(1)).rejects.toMatchObject({ code: 'CONTROL_REFUSED' })
  })

  test('a control API that is off is an error', async () => {
    await using off = await serve(createMock(), { control: false })
    await expect(connectMock(off.url).inventory.get(1)).rejects.toThrow(/answered 404: The control API is turned off/)
  })
})

test.each([
  ['http://127.0.0.1:9', 'demo-key~t1', 'the option apiKey (11 characters) is invalid.'],
  ['http://127.0.0.1:9/_mock/', 'demo-key', 'the url must be the http address of a mock, without /_mock'],
  ['', 'demo-key', 'the url is empty. `petstore-mock exec` sets PETSTORE_MOCK_URL for its command.'],
  ['/v1', 'demo-key', 'the url must be the http address of a mock'],
])('%s with the key %s is refused as a mistake in connecting', (url, apiKey, reason) => {
  expect(() => connectMock(url, { apiKey })).toThrow(`Failed to connect to a mock: ${reason}`)
})

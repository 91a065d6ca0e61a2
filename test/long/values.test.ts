import { describe, expect, test, vi } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock, generateFixture, type Mock, MockError } from '../../src/index.ts'
import { STATE_VERSION } from '../../src/sandbox/state-document.ts'
import { toWords } from '../hostile/requests/request.ts'

const KEY = { authorization: 'Bearer demo-key' }
const nest = (open: string, close: string, levels: number): string => open.repeat(levels) + 1 + close.repeat(levels)

/** JSON that somebody once forgot. */
const TEXTS: readonly string[] = [
  ...toWords(`
    {"toString":1} {"toString":1,"valueOf":1} [{"toString":1},1] {"toJSON":1} {"__proto__":{"inventory":[]}}
    {"constructor":{"name":1}} {"a":1,"a":2} 1e400 -1e400 5.0000000000000001 0.1 -0 -0.0 9007199254740991
    9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775809 1e-400 "\\ud800"
    "\\ud800\\udc00" "\\u0000" "__proto__" "9223372036854775807" "-0" {"then":1} {"source":"1e400"} {"rawJSON":"1"}
    {"toJSON":"x"} [[[[[]]]]] [2,1] [9223372036854775807] 99999999999 null true "" [] {}
  `),
  nest('[', ']', 1001),
  nest('[', ']', 30_000),
  nest('{"a":', '}', 10_000),
  nest('[{"a":1.5,"b":', '}]', 30_000),
  `"${'x'.repeat(50_000)}"`,
  `{"${'x'.repeat(50_000)}":1}`,
]

/** Where a client can put a value, which stands for VALUE. */
const PLACES: readonly (readonly [method: string, path: string, body: string])[] = [
  ['PATCH', '/v1/inventory/1', 'VALUE'],
  ['PATCH', '/v1/inventory/1', '{"quantity":VALUE}'],
  ['PATCH', '/v1/inventory/1', '{"quantity":1,"x":VALUE}'],
  ['PUT', '/_mock/state', 'VALUE'],
  ['PUT', '/_mock/state', '{"inventory":VALUE}'],
  ['PUT', '/_mock/state', '{"inventory":[VALUE]}'],
  ['PUT', '/_mock/state', '{"inventory":[{"petId":VALUE,"quantity":1,"status":"sold"}]}'],
  ['PUT', '/_mock/state', '{"inventory":[{"petId":1,"quantity":VALUE,"status":"sold"}]}'],
  ['PUT', '/_mock/state', '{"inventory":[{"petId":1,"quantity":1,"status":VALUE}]}'],
  ['PUT', '/_mock/state', '{"inventory":[],"description":VALUE}'],
  ['POST', '/_mock/load', 'VALUE'],
  ['POST', '/_mock/load', '{"fixture":VALUE}'],
  ['PUT', '/_mock/pets/1', 'VALUE'],
  ['PUT', '/_mock/pets/1', '{"quantity":VALUE}'],
  ['PUT', '/_mock/pets/1', '{"status":VALUE}'],
  ['PUT', '/_mock/pets/404', '{"quantity":VALUE,"status":"sold"}'],
  ['PUT', '/_mock/state', '{"__proto__":VALUE,"inventory":[]}'],
  ['POST', '/_mock/load', '{"fixture":{"inventory":[{"petId":VALUE,"quantity":1,"status":"sold"}]}}'],
  ['POST', '/_mock/clock', 'VALUE'],
  ['POST', '/_mock/clock', '{"mode":VALUE}'],
  ['POST', '/_mock/clock', '{"mode":"virtual","advance":VALUE}'],
  ['POST', '/_mock/reset', 'VALUE'],
  ['DELETE', '/_mock/faults', 'VALUE'],
  ['PUT', '/_mock/delay', '{"delay":VALUE}'],
  ['PUT', '/_mock/delay', '{"delay":[0,VALUE]}'],
  ['POST', '/_mock/faults', 'VALUE'],
  ...['operation', 'petId', 'status', 'error', 'delay', 'times', 'probability', 'retryAfter', 'body'].map(
    (name) => ['POST', '/_mock/faults', `{"status":503,"${name}":VALUE,"times":1}`] as const,
  ),
]

/** Where a value can stand in an address. */
const ADDRESSES = toWords(`
  /v1/inventory?VALUE /v1/inventory/VALUE /_mock/pets/VALUE /_mock/journal?petId=VALUE
  /_mock/journal?after=VALUE /_mock/journal?limit=VALUE /_mock/state?limit=VALUE /_mock/state?sandbox=VALUE
`)

describe('no value that a client sends is a 500, and none hurts the next request', () => {
  test.each(PLACES)('%s %s %s', async (method, path, template) => {
    for (const text of TEXTS) {
      const { mock, errors } = createWatched()
      const body = template.replace('VALUE', () => text)
      const response = await mock.fetch(path, { method, headers: { ...KEY, 'content-type': 'application/json' }, body })
      const told = await response.text()
      expect([response.status, path], `${body.slice(0, 100)}: ${told.slice(0, 300)}`).toEqual([
        expect.toBeOneOf([200, 201, 204, 400]),
        path,
      ])
      if (response.status === 400) expect(told.length, told.slice(0, 1000)).toBeLessThan(700)
      await expectWell(mock)
      expect(errors).toEqual([])
    }
  })

  test.each(ADDRESSES)('GET %s', async (template) => {
    for (const text of TEXTS.filter((each) => each.length < 5000)) {
      const { mock, errors } = createWatched()
      const response = await mock.fetch(
        template.replace('VALUE', () => encodeURIComponent(text)),
        { headers: KEY },
      )
      expect(response.status, text).toBeOneOf([200, 400, 404, 405])
      await expectWell(mock)
      expect(errors).toEqual([])
    }
  })
})

describe('no value that a program gives is anything but taken or refused with a MockError', () => {
  const hostile: readonly unknown[] = [
    ...TEXTS.filter((text) => text.length < 1000).map((text) => JSON.parse(text) as unknown),
    nestObject(100_000),
    Object.create(null),
    Symbol('pet'),
    () => 1,
    10n ** 30n,
    2n ** 63n - 1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    new Date(Number.NaN),
    new Map(),
    Object.defineProperty({}, 'petId', { enumerable: true, get: throwUp }),
  ]
  const uses: Readonly<Record<string, (value: never, mock: Mock) => unknown>> = {
    'createMock(options)': (value) => createMock(value),
    fixture: (fixture) => createMock({ fixture }),
    fixtures: (fixtures) => createMock({ fixtures }),
    'fixtures.mine': (mine) => createMock({ fixtures: { mine } }),
    apiKeys: (apiKeys) => createMock({ apiKeys }),
    'apiKeys[0]': (key) => createMock({ apiKeys: [key] }),
    baseUrl: (baseUrl) => createMock({ baseUrl }),
    'quantity.min': (min) => createMock({ quantity: { min } }),
    sunset: (sunset) => createMock({ sunset }),
    delay: (delay) => createMock({ delay }),
    'delay[0]': (min) => createMock({ delay: [min, 5] }),
    randomSeed: (randomSeed) => createMock({ randomSeed }),
    journalSize: (journalSize) => createMock({ journalSize }),
    handlers: (handlers) => createMock({ handlers }),
    generateFixture: (pets) => generateFixture({ pets: typeof pets === 'number' ? Number.NaN : pets }),
    'inventory.get': (id, { inventory }) => inventory.get(id),
    'inventory.set': (id, { inventory }) => inventory.set(id, { quantity: 1 }),
    'inventory.set quantity': (quantity, { inventory }) => inventory.set(1, { quantity }),
    'inventory.set status': (status, { inventory }) => inventory.set(1, { status }),
    'inventory.add': (petId, { inventory }) => inventory.add({ petId, quantity: 1, status: 'sold' }),
    'inventory.remove': (id, { inventory }) => inventory.remove(id),
    'inventory.findMany': (query, { inventory }) => inventory.findMany(query),
    'inventory.count': (equals, { inventory }) => inventory.count({ where: { petId: { equals } } }),
    load: (fixture, mock) => mock.load(fixture),
    'load petId': (petId, mock) => mock.load({ inventory: [{ petId, quantity: 1, status: 'sold' }] }),
    'load item': (item, mock) => mock.load({ inventory: [item] }),
    restore: (snapshot, mock) => mock.restore(snapshot),
    sandbox: (name, mock) => mock.sandbox(name),
    setDelay: (delay, mock) => mock.setDelay(delay),
    'faults.add': (fault, { faults }) => faults.add(fault),
    'faults.add petId': (petId, { faults }) => faults.add({ status: 503, petId }),
    'faults.add body': (body, { faults }) => faults.add({ status: 503, body, times: 1 }),
    'faults.remove': (id, { faults }) => faults.remove(id),
    'journal.find': (filter, { journal }) => journal.find(filter),
    'journal.find petId': (petId, { journal }) => journal.find({ petId }),
    'journal.find status': (status, { journal }) => journal.find({ status }),
    'journal.find operation': (operation, { journal }) => journal.find({ operation }),
    'journal.find after': (after, { journal }) => journal.find({ after }),
    'journal.find body': (body, { journal }) => journal.find({ body }),
    importState: (text, mock) => mock.importState(text),
    reseed: (fixture, mock) => mock.reseed(fixture),
    'clock.advance': (ms, { clock }) => void clock.advance(ms).catch(expectMockError),
    connectMock: (url) => connectMock(url),
    'connectMock sandbox': (sandbox) => connectMock('http://127.0.0.1:1', { sandbox }),
    'connectMock apiKey': (apiKey) => connectMock('http://127.0.0.1:1', { apiKey }),
  }

  test.each(Object.entries(uses))('%s', async (_, use) => {
    for (const value of hostile) {
      const mock = createMock()
      await mock.fetch('/v1/inventory', { headers: KEY })
      try {
        await use(value as never, mock)
      } catch (error) {
        expectMockError(error)
      }
      await expectWell(mock)
    }
  })

  function expectMockError(error: unknown): void {
    if (error === HAPPENED) return
    expect(error).toBeInstanceOf(MockError)
    expect((error as Error).message.length).toBeLessThan(700)
  }
})

describe('a state file is taken whole or refused by name, whatever is in it', () => {
  const version = `"version":${STATE_VERSION}`
  const write = (seed: string, sandbox = ''): string =>
    `{${version},"seeds":[${seed}],"sandboxes":[{"name":"default","seed":0${sandbox}}]}`
  const seed = '{"name":"x","pets":[[1,1,"sold"]]}'

  test('a sound one is taken', () => {
    const mock = createMock()
    mock.importState(write(seed, ',"pets":[[1,2,"sold"]]'))
    expect(mock.inventory.list()).toMatchObject([{ petId: 1, quantity: 2, status: 'sold' }])
  })

  test.each([
    'VALUE',
    '{"version":VALUE}',
    `{${version},"seeds":VALUE,"sandboxes":[]}`,
    `{${version},"seeds":[],"sandboxes":VALUE}`,
    `{${version},"seeds":[${seed}],"sandboxes":[{"name":VALUE,"seed":0}]}`,
    `{${version},"seeds":[${seed}],"sandboxes":[{"name":"default","seed":VALUE}]}`,
    write('VALUE'),
    ...['VALUE', '[VALUE]', '[[VALUE,1,"sold"]]', '[[1,VALUE,"sold"]]', '[[1,1,VALUE]]'].map((pets) =>
      write(`{"name":"x","pets":${pets}}`),
    ),
    ...['"removed":VALUE', '"removed":[VALUE]', '"pets":[[1,VALUE,"sold"]]', '"pets":[[VALUE,1,"sold"]]'].map(
      (change) => write(seed, `,${change}`),
    ),
  ])('%j', async (template) => {
    for (const text of TEXTS) {
      const mock = createMock()
      mock.inventory.set(1, { quantity: 77 })
      const before = mock.exportState()
      try {
        mock.importState(template.replace('VALUE', () => text))
      } catch (error) {
        expect(error, text.slice(0, 100)).toBeInstanceOf(MockError)
        expect((error as Error).message.length).toBeLessThan(700)
        expect(mock.exportState()).toBe(before)
      }
      await expectWell(mock)
    }
  })
})

const HAPPENED = new Error('of a getter of the value')

function throwUp(): never {
  throw HAPPENED
}

function nestObject(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = { inventory: value }
  return value
}

function createWatched(): { mock: Mock; errors: unknown[][] } {
  const errors: unknown[][] = []
  vi.spyOn(console, 'error').mockImplementation((...parts) => void errors.push(parts))
  return { mock: createMock(), errors }
}

/** Everything that shows the sandbox still works; what the value asked for may be in it. */
async function expectWell(mock: Mock): Promise<void> {
  for (const path of ['/_mock/faults', '/_mock/journal', '/_mock/state', '/_mock/health', '/_mock/delay']) {
    const response = await mock.fetch(path)
    expect([path, response.status]).toEqual([path, 200])
    JSON.parse(await response.text())
  }
  const list = await mock
    .fetch('/v1/inventory', { headers: KEY, signal: AbortSignal.timeout(5) })
    .catch(() => undefined)
  expect(list?.status ?? 200).toBeOneOf([200, 503])
}

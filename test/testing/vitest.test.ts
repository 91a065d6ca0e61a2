import { beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/service/create-mock.ts'
import { type Expected, matchers } from '../../src/testing/matchers.ts'
import { test } from '../../src/testing/vitest.ts'

const URL = 'https://api.petstore.example/v1/inventory'

async function update(apiKey: string, petId: number, body: object, more: RequestInit = {}): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-tries': '1' }
  await fetch(`${URL}/${petId}`, { method: 'PATCH', headers, body: JSON.stringify(body), ...more })
}

describe.concurrent('tests at once on one mock, each changing the same pets:', () => {
  for (let index = 0; index < 3; index += 1) {
    test(`test ${index} has the pets to itself`, async ({ inventory, expect }) => {
      await update(inventory.apiKey, 1, { quantity: index })
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 20))
      expect(inventory).toHaveStock(1, index)
      expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: index }, times: 1 })
      expect(inventory.journal.entries).toHaveLength(1)
    })
  }
})

describe('toHaveReceived', () => {
  test('takes what came, by all that a filter of the journal can have, and the number of times', async ({
    inventory,
  }) => {
    await update(inventory.apiKey, 1, { quantity: 5 })
    await update(inventory.apiKey, 404, { quantity: 6 })
    const matching: readonly Expected[] = [
      {},
      { times: 2 },
      { petId: 1n, times: 1 },
      { status: 404, times: 1 },
      { body: { quantity: 6 }, times: 1 },
      { body: { quantity: expect.any(Number) }, times: 2 },
      { headers: { 'X-Tries': '1', authorization: 'Bearer (hidden)' }, times: 2 },
    ]
    for (const expected of matching) expect(inventory).toHaveReceived('updateInventory', expected)
    const others: readonly Expected[] = [
      { times: 0 },
      { times: 1 },
      { times: 3 },
      { petId: 404, status: 200 },
      { body: { quantity: expect.any(String) } },
      { headers: { 'x-tries': '2' } },
    ]
    for (const expected of others) expect(inventory).not.toHaveReceived('updateInventory', expected)
    expect(inventory).not.toHaveReceived('listInventory')
    expect(inventory).toHaveReceived({ method: 'PATCH', path: '/inventory/{petId}', times: 2 })
    expect(inventory).not.toHaveReceived({ path: '/inventory' })
  })

  test.for<[Expected, string]>([
    [
      { petId: 1, body: { quantity: 6 } },
      `to have received updateInventory for pet 1 with {"quantity":6} at least once, but received it 0 times.
Closest requests:
  PATCH /v1/inventory/2 {"quantity":6}: it is for pet 2
  PATCH /v1/inventory/1 {"quantity":5}: its body is not {"quantity":6}`,
    ],
    [{ times: 3 }, 'to have received updateInventory 3 times, but received it 2 times.'],
    [{ petId: 1, status: 404 }, 'for pet 1 with the response status 404 at least once'],
    [{ status: 404 }, '}: its response status is 200'],
    [{ body: { quantity: expect.any(String) } }, 'its body is not {"quantity":"Any<String>"}'],
    [{ body: { batch: 9223372036854775806n } }, 'its body is not {"batch":9223372036854775806}'],
    [{ petId: 3, body: { batch: 9007199254740993n } }, '"batch":9007199254740993}: it is for pet 1'],
    [{ headers: { 'X-Tries': '2', missing: '1' } }, 'not {"x-tries":"2","missing":"1"} but {"x-tries":"1"}'],
    [{ headers: { 'x-tries': expect.stringContaining('2') } }, '{"x-tries":"StringContaining"} but {"x-tries":"1"}'],
    [
      { headers: { 'x-tries': '2', authorization: 'Bearer (hidden)' } },
      'but {"x-tries":"1","authorization":"Bearer (hidden)"}',
    ],
  ])('without %o says what came instead, the nearest first', async ([expected, message], { inventory }) => {
    const batch = message.includes('batch') ? ',"batch":9007199254740993' : ''
    await update(inventory.apiKey, 1, {}, { body: `{"quantity":5${batch}}` })
    await update(inventory.apiKey, 2, { quantity: 6 })
    expect(() => expect(inventory).toHaveReceived('updateInventory', expected)).toThrow(message)
  })

  test('compares with a matcher of bun by the equals of its context', async ({ inventory }) => {
    vi.stubGlobal('Bun', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const quantity = Object.create({ [Symbol.toStringTag]: 'ExpectAny' })
    const context = { equals: (value: unknown, other: unknown) => other === quantity && value === 5 }
    const match = matchers.toHaveReceived.bind(context, inventory, 'updateInventory')
    await update(inventory.apiKey, 1, { quantity: 5, more: [6] })
    expect(match({ body: { quantity } })).toMatchObject({ pass: true })
    expect(match({ body: { more: [quantity] } })).toMatchObject({ pass: false })
  })

  test('with not says what came', async ({ inventory }) => {
    await update(inventory.apiKey, 1, { quantity: 5 })
    expect(() => expect(inventory).not.toHaveReceived('updateInventory', { times: 1 })).toThrow(
      `Expected the sandbox ${inventory.name} not to have received updateInventory once, but received it once.`,
    )
    expect(() => expect(inventory).not.toHaveReceived('updateInventory')).toThrow('at least once, but')
  })

  test('says that a request is still in flight', async ({ inventory }) => {
    const leave = new AbortController()
    inventory.setDelay(100_000)
    const asked = update(inventory.apiKey, 1, { quantity: 5 }, { signal: leave.signal })
    await vi.waitFor(() =>
      expect(() => expect(inventory).toHaveReceived('updateInventory')).toThrow('still in flight: 1.'),
    )
    leave.abort()
    await expect(asked).rejects.toThrow('abort')
    expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 5 }, times: 1 })
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow(/^(?!.*in flight)/s)
  })

  test('asks for the await and the API key if the sandbox received no requests, and names those that did', async () => {
    const mock = createMock()
    const own = mock.sandbox('own')
    const question =
      'It received no requests. Is the request awaited? Does anything answer requests with this mock, such as interceptRequests() or serve()? Does the code under test use the API key of the sandbox own?'
    expect(() => expect(own).toHaveReceived('updateInventory')).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/own\?$/) }),
    )
    const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
    await mock.fetch('/v1/inventory/1', { method: 'PATCH', headers, body: '{"quantity":5}' })
    expect(() => expect(own).toHaveReceived('updateInventory')).toThrow(`${question} Others did: default.`)
    const none = 'This sandbox received no update of it. Is the request awaited?'
    expect(() => expect(own).toHaveStock(1, 5)).toThrow(`${none} Others did: default.`)
    expect(() => expect(own).toHaveStock(2, 6)).toThrow(/update of it\. Is the request awaited\?$/)
  })
})

describe('toHaveStock', () => {
  test('says what the stock is instead, and what the last update did', async ({ inventory }) => {
    expect(inventory).not.toHaveStock(1, 20)
    const fail = (petId: number): void => expect(inventory).toHaveStock(petId, 20)
    const none = 'This sandbox received no update of it.'
    expect(() => fail(1)).toThrow(`Expected pet 1 to have a stock of 20: it has 12. ${none}`)
    expect(() => fail(404)).toThrow('Expected pet 404 to have a stock of 20: it is not there.')
    await update(inventory.apiKey, 1, { quantity: 'many' })
    expect(() => fail(1)).toThrow('Its last update, {"quantity":"many"}, got a 400.')
    await update(inventory.apiKey, 1, { quantity: 5 })
    expect(() => fail(1)).toThrow('it has 5. Its last update, {"quantity":5}, got a 200.')
  })

  test('with not fails for that stock, and for a pet that does not exist', ({ inventory }) => {
    expect(() => expect(inventory).not.toHaveStock(1, 12)).toThrow(
      'Expected pet 1 not to have a stock of 12: it has 12.',
    )
    expect(() => expect(inventory).not.toHaveStock(99, 12)).toThrow(
      'Expected pet 99 not to have a stock of 12: it is not there. To expect no pet, use inventory.get(99).',
    )
  })
})

describe('toHaveUsedFaults', () => {
  test('names the faults that were never triggered', async ({ inventory }) => {
    expect(inventory).toHaveUsedFaults()
    expect(() => expect(inventory).not.toHaveUsedFaults()).toThrow('not to have used its faults, but it has none.')
    inventory.faults.add({ operation: 'updateInventory', status: 503, times: 2 })
    inventory.faults.add({ path: '/orders', error: 'reset' })
    await update(inventory.apiKey, 1, { quantity: 5 })
    expect(inventory).not.toHaveUsedFaults()
    expect(() => expect(inventory).toHaveUsedFaults()).toThrow(
      `Expected the sandbox ${inventory.name} to have used its faults, but these were never triggered:
  fault 2: {"path":"/orders","error":"reset"}`,
    )
    inventory.faults.remove(2)
    expect(inventory).toHaveUsedFaults()
    expect(() => expect(inventory).not.toHaveUsedFaults()).toThrow('but every fault was triggered.')
  })
})

describe('a matcher of a mock in another process', () => {
  const elsewhere = createMock()
  const remote = connectMock('http://mock.test', { fetch: (url, init) => elsewhere.fetch(url, init) })
  beforeAll(async () => {
    const headers = { authorization: `Bearer ${elsewhere.apiKey}`, 'content-type': 'application/json' }
    await elsewhere.fetch('/v1/inventory/1', { method: 'PATCH', headers, body: '{"quantity":20}' })
  })

  test('passes as for one of this process', async () => {
    await expect(remote).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 }, times: 1 })
    await expect(remote).not.toHaveReceived('listInventory')
    await expect(remote).toHaveStock(1, 20)
    await expect(remote).not.toHaveStock(1, 21)
    await expect(remote.sandbox('a')).toHaveStock(1, 12)
    await expect(remote).toHaveUsedFaults()
    await remote.sandbox('a').faults.add({ status: 503 })
    await expect(remote.sandbox('a')).not.toHaveUsedFaults()
  })

  test('fails with the same message', async () => {
    const run = async (assertion: () => unknown): Promise<unknown> => assertion()
    for (const [failOf, message] of [
      [(it) => expect(it).toHaveReceived('updateInventory', { petId: 2 }), '{"quantity":20}: it is for pet 1'],
      [(it) => expect(it).toHaveReceived('listInventory', { petId: 1 }), 'petId cannot be used'],
      [(it) => expect(it).toHaveStock(1, 21), 'it has 20. Its last update, {"quantity":20}, got a 200.'],
      [(it) => expect(it).not.toHaveStock(99, 21), 'it is not there'],
    ] satisfies [(it: typeof remote | typeof elsewhere) => unknown, string][]) {
      for (const received of [remote, elsewhere]) await expect(run(() => failOf(received))).rejects.toThrow(message)
    }
  })
})

describe('a matcher refuses, also with not,', () => {
  test.for([
    ['a number', 3, 'got 3 (number).'],
    ['nothing', undefined, 'got '],
    ['a response', new Response(), 'got '],
  ] as const)('%s', ([, value, message]) => {
    const sentence = `expect() must get a mock or a sandbox, such as expect(createMock()), ${message}`
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(sentence) })
    expect(() => expect(value).toHaveReceived('updateInventory')).toThrow(refused)
    expect(() => expect(value).not.toHaveReceived('updateInventory')).toThrow(refused)
    expect(() => expect(value).toHaveStock(1, 20)).toThrow(refused)
    expect(() => expect(value).not.toHaveStock(1, 20)).toThrow(refused)
  })

  test.for<[Expected, string]>([
    [{ times: -1 }, 'times must be an integer of 0 or more'],
    [{ times: 1.5 }, 'times must be an integer of 0 or more'],
    [{ status: 99 }, 'status must be'],
    [{ petId: 1 }, 'petId cannot be used with listInventory'],
    [{ headers: { authorization: 'Bearer demo-key' } }, 'headers cannot have this authorization'],
  ])('%j', ([expected, message], { inventory }) => {
    const refused = expect.objectContaining({ code: 'INVALID_FILTER', message: expect.stringContaining(message) })
    expect(() => expect(inventory).toHaveReceived('listInventory', expected)).toThrow(refused)
    expect(() => expect(inventory).not.toHaveReceived('listInventory', expected)).toThrow(refused)
  })

  test.for(['12', 1.5])('a quantity of %s', (quantity, { inventory }) => {
    expect(() => expect(inventory).not.toHaveStock(1, quantity as number)).toThrow('the quantity must be an integer')
  })
})

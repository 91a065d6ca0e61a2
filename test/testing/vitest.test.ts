import { beforeAll, describe, expect, vi } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/service/create-mock.ts'
import { test } from '../../src/testing/vitest.ts'

const URL = 'https://api.petstore.example/v1/inventory'

describe.concurrent('8 tests at once on one mock, each changing the same pets', () => {
  for (let index = 0; index < 8; index += 1) {
    test(`test ${index} has the pets to itself`, async ({ inventory, expect }) => {
      await update(inventory.apiKey, 1, index)
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 20))
      expect(inventory).toHaveStock(1, index)
      expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: index }, times: 1 })
      expect(inventory.journal.entries).toHaveLength(1)
    })
  }
})

describe('toHaveReceived', () => {
  test('takes asymmetric matchers in the body, and headers', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    const matching = [
      { body: { quantity: expect.any(Number) } },
      { body: expect.objectContaining({ quantity: 5 }) },
      { headers: { 'Content-Type': 'application/json' } },
      { headers: { 'content-type': expect.stringContaining('json') } },
      { headers: expect.objectContaining({ authorization: 'Bearer (hidden)' }) },
    ]
    for (const expected of matching) expect(inventory).toHaveReceived('updateInventory', { ...expected, times: 1 })
    for (const expected of [
      { body: { quantity: expect.any(String) } },
      { body: expect.objectContaining({ quantity: 6 }) },
      { headers: { 'content-type': 'text/plain' } },
      { headers: { 'x-request-id': expect.anything() } },
    ]) {
      expect(inventory).not.toHaveReceived('updateInventory', expected)
    }
    expect(() =>
      expect(inventory).toHaveReceived('updateInventory', {
        body: { quantity: expect.any(String) },
        headers: { 'x-request-id': '7' },
      }),
    ).toThrow('its body is not {"quantity":Any<String>}; its headers are not {"x-request-id":"7"} but {}')
  })

  test.for([
    [{ 'X-Tries': '2', missing: '1' }, '{"X-Tries":"2","missing":"1"} but {"x-tries":"1"}'],
    [{ 'x-tries': expect.stringContaining('2') }, '{"x-tries":StringContaining} but {"x-tries":"1"}'],
    [expect.objectContaining({ 'x-tries': '2' }), 'ObjectContaining but {"x-tries":"1"}'],
    [{ 'x-tries': '2', authorization: 'Bearer (hidden)' }, 'but {"authorization":"Bearer (hidden)","x-tries":"1"}'],
  ] as const)('shows the headers that came instead of %o', async ([headers, shown], { inventory }) => {
    await update(inventory.apiKey, 1, 5, { 'x-tries': '1' })
    expect(() => expect(inventory).toHaveReceived('updateInventory', { headers })).toThrow(shown)
  })

  test('refuses a header that no request can have', ({ inventory }) => {
    expect(() => expect(inventory).not.toHaveReceived('updateInventory', { headers: { 'x-tries': 7 } })).toThrow(
      'Failed to search the journal: headers must have a string or an asymmetric matcher for x-tries, got 7 (number).',
    )
  })

  test('takes what the journal shows of a hidden header, and a header that was not sent', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    const headers = { authorization: 'Bearer (hidden)', cookie: undefined, 'x-api-key': undefined }
    expect(inventory).toHaveReceived('updateInventory', { headers, times: 1 })
    expect(inventory).not.toHaveReceived('updateInventory', { headers: { authorization: undefined } })
  })

  test('says that a request is still in flight', async ({ inventory }) => {
    const leave = new AbortController()
    inventory.setDelay(100_000)
    const headers = { authorization: `Bearer ${inventory.apiKey}`, 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body: '{"quantity":5}', signal: leave.signal }
    const asked = fetch(`${URL}/1`, init)
    await vi.waitFor(() =>
      expect(() => expect(inventory).toHaveReceived('updateInventory')).toThrow('still in flight: 1.'),
    )
    leave.abort()
    await expect(asked).rejects.toThrow('abort')
    expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 5 }, times: 1 })
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow(/^(?!.*in flight)/s)
  })

  test('takes the status of the response', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    await update(inventory.apiKey, 404, 5)
    expect(inventory).toHaveReceived('updateInventory', { status: 404, times: 1 })
    expect(inventory).not.toHaveReceived('updateInventory', { status: 404, petId: 1 })
    expect(() => expect(inventory).toHaveReceived('updateInventory', { petId: 404, status: 200 })).toThrow(
      [
        'updateInventory for pet 404 with the response status 200 at least once, but received it 0 times.',
        'Closest requests:',
        '  PATCH /v1/inventory/404 {"quantity":5}: its response status is 404',
      ].join('\n'),
    )
    expect(() => expect(inventory).toHaveReceived('updateInventory', { status: 99 })).toThrow(
      'Failed to search the journal: status must be',
    )
  })

  test('says which other sandbox got the request', async ({ inventory, mock }) => {
    const other = mock.sandbox(`${inventory.name.slice(0, 50)}-other`)
    await update(other.apiKey, 1, 5)
    expect(() => expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 5 } })).toThrow(
      `Received by the sandbox ${other.name}. Does the code under test use the API key of the sandbox ${inventory.name}?`,
    )
    expect(() => expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 4711 } })).toThrow(
      /received it 0 times\.\nIt received no requests\.$/,
    )
    expect(() => expect(mock).toHaveReceived('updateInventory', { body: { quantity: 5 } })).toThrow(
      `Received by the sandbox ${other.name}.`,
    )
  })

  test('a stock that is not there is explained by the last update', async ({ inventory }) => {
    expect(() => expect(inventory).toHaveStock(1, 20)).toThrow(
      'Expected pet 1 to have a stock of 20: it has 12. This sandbox received no update of it.',
    )
    await update(inventory.apiKey, 1, 'many' as never)
    expect(() => expect(inventory).toHaveStock(1, 20)).toThrow('Its last update, {"quantity":"many"}, got a 400.')
    await update(inventory.apiKey, 1, 5)
    expect(() => expect(inventory).toHaveStock(1, 20)).toThrow('it has 5. Its last update, {"quantity":5}, got a 200.')
  })

  test('says that such a request was refused for its key', async ({ inventory, mock }) => {
    await update('wrong-key', 1, 4712)
    expect(() => expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 4712 } })).toThrow(
      'The sandbox default refused such a request with a 401.',
    )
    for (const expected of [{ status: 200 }, { status: 200, petId: 1, body: { quantity: 4712 } }]) {
      expect(() => expect(inventory).toHaveReceived('updateInventory', expected)).toThrow(
        `The sandbox default refused such a request with a 401. Does the code under test use the API key of the sandbox ${inventory.name}?`,
      )
      expect(() => expect(mock).toHaveReceived('updateInventory', expected)).toThrow(/its response status is 401$/m)
    }
    for (const expected of [
      { status: 200, petId: 2 },
      { status: 200, body: { quantity: 4711 } },
    ]) {
      expect(() => expect(inventory).toHaveReceived('updateInventory', expected)).toThrow(/It received no requests\.$/)
    }
  })

  test('takes what came, by operation, pet, body and times', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    await update(inventory.apiKey, 1, 6)
    expect(inventory).toHaveReceived('updateInventory')
    expect(inventory).toHaveReceived('updateInventory', { times: 2 })
    expect(inventory).toHaveReceived('updateInventory', { petId: 1n, body: { quantity: 6 } })
    expect(inventory).not.toHaveReceived('listInventory')
  })

  test('holds to the number of times, and says how many came', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    await update(inventory.apiKey, 1, 6)
    for (const times of [0, 1, 3]) {
      expect(inventory).not.toHaveReceived('updateInventory', { times })
      expect(() => expect(inventory).toHaveReceived('updateInventory', { times })).toThrow(
        `to have received updateInventory ${times} times, but received it 2 times.`,
      )
    }
    expect(() => expect(inventory).not.toHaveReceived('updateInventory', { times: 2 })).toThrow(
      `Expected the sandbox ${inventory.name} not to have received updateInventory 2 times, but received it 2 times.`,
    )
  })

  test('shows the nearest requests, and why they do not fit', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    await update(inventory.apiKey, 2, 6)
    expect(() => expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 6 } })).toThrow(
      [
        `Expected the sandbox ${inventory.name} to have received updateInventory for pet 1 with {"quantity":6} at least once, but received it 0 times.`,
        'Closest requests:',
        '  PATCH /v1/inventory/2 {"quantity":6}: it is for pet 2',
        '  PATCH /v1/inventory/1 {"quantity":5}: its body is not {"quantity":6}',
      ].join('\n'),
    )
  })

  test('takes and shows a body of any value', async ({ inventory }) => {
    const headers = { authorization: `Bearer ${inventory.apiKey}`, 'content-type': 'application/json' }
    const body = '{"quantity":1,"batch":9223372036854775807}'
    await fetch(`${URL}/1`, { method: 'PATCH', headers, body })
    expect(inventory).toHaveReceived('updateInventory', { body: { batch: 9223372036854775807n } })
    expect(() =>
      expect(inventory).toHaveReceived('updateInventory', { body: { batch: 9223372036854775806n } }),
    ).toThrow(`${body}: its body is not {"batch":9223372036854775806}`)
  })

  test('tells a body that was expected at another pet by its digits', async ({ inventory }) => {
    const headers = { authorization: `Bearer ${inventory.apiKey}`, 'content-type': 'application/json' }
    await fetch(`${URL}/2`, { method: 'PATCH', headers, body: '{"quantity":1,"batch":9007199254740993}' })
    const expected = { petId: 1, body: { batch: 9007199254740993n } }
    expect(() => expect(inventory).toHaveReceived('updateInventory', expected)).toThrow(/}: it is for pet 2$/)
  })

  test('says that nothing came', ({ inventory }) => {
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow('It received no requests.')
  })

  test('says what came where nothing should have', async ({ inventory }) => {
    await update(inventory.apiKey, 1, 5)
    expect(() => expect(inventory).not.toHaveReceived('updateInventory')).toThrow(
      /not to have received updateInventory at least once, but received it 1 times/,
    )
  })
})

describe('toHaveStock', () => {
  test('tells that the stock is what it should not be', ({ inventory }) => {
    expect(() => expect(inventory).not.toHaveStock(1, 12)).toThrow(
      'Expected pet 1 not to have a stock of 12: it has 12.',
    )
  })

  test('tells what the stock is instead', ({ inventory }) => {
    expect(inventory).not.toHaveStock(1, 13)
    expect(() => expect(inventory).toHaveStock(1, 13)).toThrow('Expected pet 1 to have a stock of 13: it has 12.')
    expect(() => expect(inventory).toHaveStock(404, 13)).toThrow(
      'Expected pet 404 to have a stock of 13: it is not there.',
    )
  })

  test('fails with not for a pet that does not exist', ({ inventory }) => {
    expect(() => expect(inventory).not.toHaveStock(99, 12)).toThrow(
      'Expected pet 99 not to have a stock of 12: it is not there. To expect no pet, use inventory.get(99).',
    )
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
  })

  test('fails with the same message', async () => {
    for (const received of [remote, elsewhere]) {
      const fail = (assertion: () => void | Promise<void>) => expect(async () => assertion()).rejects
      await fail(() => expect(received).toHaveReceived('updateInventory', { petId: 2 })).toThrow(
        'PATCH /v1/inventory/1 {"quantity":20}: it is for pet 1',
      )
      await fail(() => expect(received).toHaveStock(1, 21)).toThrow(
        'Expected pet 1 to have a stock of 21: it has 20. Its last update, {"quantity":20}, got a 200.',
      )
      await fail(() => expect(received).not.toHaveStock(99, 21)).toThrow('it is not there')
      await fail(() => expect(received).toHaveReceived('listInventory', { petId: 1 })).toThrow('petId cannot be used')
    }
  })
})

describe('a matcher refuses, also with not,', () => {
  const any = 'expect() must get a mock or a sandbox, such as expect(createMock()), got '

  test.for([
    ['a number', 3, `${any}3 (number).`],
    ['nothing', undefined, any],
    ['a response', new Response(), any],
  ] as const)('%s', ([, value, message]) => {
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) })
    expect(() => expect(value).toHaveReceived('updateInventory')).toThrow(refused)
    expect(() => expect(value).not.toHaveReceived('updateInventory')).toThrow(refused)
    expect(() => expect(value).toHaveStock(1, 20)).toThrow(refused)
    expect(() => expect(value).not.toHaveStock(1, 20)).toThrow(refused)
  })

  test.for([-1, '0', 1.5])('times: %s', (times, { inventory }) => {
    expect(() => expect(inventory).not.toHaveReceived('updateInventory', { times: times as number })).toThrow(
      'times must be an integer of 0 or more',
    )
  })

  test.for([
    [{ authorization: 'Bearer demo-key' }, 'authorization', 'Bearer (hidden)'],
    [{ Authorization: expect.stringContaining('demo-key') }, 'Authorization', 'Bearer (hidden)'],
    [expect.objectContaining({ authorization: 'demo-key' }), 'authorization', '(hidden)'],
    [{ accept: '*/*', 'x-api-key': 'demo-key' }, 'x-api-key', '(hidden)'],
    [{ referer: 'https://a.example/?token=demo-key' }, 'referer', 'https://a.example/?token=(hidden)'],
  ] as const)('the value of a hidden header: %o', async ([headers, name, shown], { inventory }) => {
    await update(inventory.apiKey, 1, 5)
    const expected = { headers: headers as Record<string, unknown> }
    const message = `Failed to search the journal: headers cannot have this ${name}: the journal hides credentials. Search for "${shown}", or look in the sandbox of the API key.`
    const refused = expect.objectContaining({ code: 'INVALID_FILTER', message })
    expect(() => expect(inventory).toHaveReceived('updateInventory', expected)).toThrow(refused)
    expect(() => expect(inventory).not.toHaveReceived('updateInventory', expected)).toThrow(refused)
    expect(() => inventory.journal.find(expected)).toThrow(refused)
  })

  test.for([
    ['updateInventory', { body: '{"quantity":5}' }, 'body must not be JSON text: pass the object itself.'],
    ['listInventory', { petId: 1 }, 'petId cannot be used with listInventory'],
    ['listInventory', { body: { quantity: 5 } }, 'body cannot be used with listInventory'],
  ] as const)('%s with %j, which no request can be', async ([operation, expected, message], { inventory }) => {
    await update(inventory.apiKey, 1, 5)
    const refused = expect.objectContaining({ code: 'INVALID_FILTER', message: expect.stringContaining(message) })
    expect(() => expect(inventory).toHaveReceived(operation, expected)).toThrow(refused)
    expect(() => expect(inventory).not.toHaveReceived(operation, expected)).toThrow(refused)
    expect(() => inventory.journal.find({ operation, ...expected })).toThrow(refused)
  })

  test.for(['12', 1.5])('a quantity of %s', (quantity, { inventory }) => {
    expect(() => expect(inventory).not.toHaveStock(1, quantity as number)).toThrow('the quantity must be an integer')
  })
})

async function update(apiKey: string, petId: number, quantity: number, more: object = {}): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...more }
  await fetch(`${URL}/${petId}`, { method: 'PATCH', headers, body: JSON.stringify({ quantity }) })
}

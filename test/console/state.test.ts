import { describe, expect, test } from 'vitest'
import { createAddresses } from '../../src/console/api/control.ts'
import { readEvents } from '../../src/console/api/events.ts'
import { parseJson, toPrettyBody } from '../../src/console/api/json.ts'
import type { Exchange, Pet } from '../../src/console/api/model.ts'
import { splitApiKey, toApiKey } from '../../src/console/api/sandbox-key.ts'
import { toQuantityBody } from '../../src/console/state/actions.ts'
import { toFaultJson, toMilliseconds } from '../../src/console/state/faults.ts'
import {
  addToJournal,
  addToTraffic,
  JOURNAL_LENGTH,
  NO_TRAFFIC,
  type Traffic,
} from '../../src/console/state/journal.ts'
import { compareIds, createPetList, toPetRows } from '../../src/console/state/pets.ts'
import { copyRequest, explainNoReplay, toOwnHeaders } from '../../src/console/state/reuse-request.ts'
import { toStockColumns } from '../../src/console/state/stock-columns.ts'
import { createReplica } from '../../src/console/state/sync.ts'
import { toScale } from '../../src/console/state/to-scale.ts'
import { toCompact, toFitting } from '../../src/console/views/to-compact.ts'

describe('what the console reads', () => {
  test('ids of 19 digits are kept digit by digit, and other numbers are numbers', () => {
    expect(parseJson('[{"petId":9007199254740993,"quantity":5},{"petId":-1}]')).toEqual([
      { petId: '9007199254740993', quantity: 5 },
      { petId: '-1' },
    ])
  })

  test('a body is broken into lines with every digit in place; what is no JSON stays', () => {
    expect(toPrettyBody('{"petId":9007199254740993,"q":5.0}')).toBe('{\n  "petId": 9007199254740993,\n  "q": 5.0\n}')
    expect(toPrettyBody('{"quantity":')).toBe('{"quantity":')
  })

  test.each([1, 2, 3, 5, 1000])('events are the same in pieces of %i bytes', async (size) => {
    const text =
      ': here\n\nevent: pet\ndata: {"petId":1,"name":"Mü"}\n\nevent: journal-cleared\r\ndata: {}\r\n\r\ndata: a\ndata: b\n\nevent: cut'
    const bytes = new TextEncoder().encode(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const events = (await Array.fromAsync(readEvents(new Blob(pieces).stream()))).flat()
    expect(events).toEqual([
      { type: 'pet', data: '{"petId":1,"name":"Mü"}' },
      { type: 'journal-cleared', data: '{}' },
      { type: 'message', data: 'a\nb' },
    ])
  })
})

describe('what the console sends', () => {
  test.each([
    ['5', '{"quantity":5}'],
    [' -3 ', '{"quantity":-3}'],
    ['−3', '{"quantity":-3}'],
    ['5.50', '{"quantity":5.50}'],
    ['99999999999999999999', '{"quantity":99999999999999999999}'],
    ['007', '{"quantity":"007"}'],
    ['five', '{"quantity":"five"}'],
    ['1}', '{"quantity":"1}"}'],
    ['', '{"quantity":""}'],
  ])('"%s" typed as a quantity is the body %s', (text, body) => {
    expect(toQuantityBody(text)).toBe(body)
  })

  test('a fault has what was filled in, large ids exact, a share out of a percentage', () => {
    const blank = { operation: '', petId: '', kind: 'status', status: '', delay: '', times: '', percent: '' }
    expect(toFaultJson({ ...blank, status: '503' })).toBe('{"status":503}')
    expect(toFaultJson({ ...blank, kind: 'reset', petId: '9223372036854775807', percent: '12.5' })).toBe(
      '{"petId":9223372036854775807,"error":"reset","probability":0.125}',
    )
    expect(toFaultJson({ ...blank, kind: 'delay', delay: '100-300', times: 'x', percent: 'often' })).toBe(
      '{"delay":"100-300","times":"x","probability":"often"}',
    )
  })

  test('curl gets method, headers and body, quoted for a shell', () => {
    const exchange = toExchange({
      method: 'PATCH',
      body: `{"a":"it's"}`,
      headers: { 'content-type': 'application/json', host: 'x' },
    })
    expect(copyRequest.curl(exchange, { url: new URL('http://h/v1/inventory/1?a=b'), apiKey: 'key' })).toBe(
      `curl -X PATCH -H 'authorization: Bearer key' -H 'content-type: application/json' --data-raw '{"a":"it'\\''s"}' 'http://h/v1/inventory/1?a=b'`,
    )
    expect(copyRequest.curl(toExchange({ method: 'HEAD' }), { url: new URL('http://h/'), apiKey: 'k' })).toMatch(
      /^curl --head /,
    )
  })

  test.each([
    ['/v1/inventory?a=b', 'http://h/below/v1/inventory?a=b'],
    ['/https://elsewhere.example/x', 'http://h/below/https://elsewhere.example/x'],
    ['//elsewhere.example/x', 'http://h/below//elsewhere.example/x'],
    ['/javascript:alert(1)', 'http://h/below/javascript:alert(1)'],
  ])('a request for %s stays with the mock', (path, url) => {
    expect(createAddresses(new URL('http://h/below/')).toService(path).href).toBe(url)
  })

  test('headers of the way there are not sent again', () => {
    const headers = {
      host: 'a',
      'sec-fetch-mode': 'cors',
      accept: '*/*',
      authorization: 'Bearer (hidden)',
      prefer: 'code=404',
    }
    expect(toOwnHeaders(toExchange({ headers: { ...headers, 'x-api-key': '(hidden)' } }))).toEqual({
      prefer: 'code=404',
    })
  })

  test('a request is replayed unless the journal has only part of its body', () => {
    expect(explainNoReplay(toExchange({ body: '{"a":"ü"}' }))).toBeUndefined()
    expect(explainNoReplay(toExchange({}))).toBeUndefined()
    const cut = 'This request cannot be replayed: the mock kept only part of its body.'
    expect(explainNoReplay(toExchange({ body: '', isCut: true }))).toBe(cut)
    expect(explainNoReplay(toExchange({ body: '{}', isCut: true }))).toBe(cut)
  })

  test('what the journal hides is not sent again', () => {
    const headers = { 'x-tenant': 'a', 'x-api-key': '(hidden)', 'x-forwarded-url': 'https://a/?token=(hidden)' }
    expect(toOwnHeaders(toExchange({ headers }))).toEqual({ 'x-tenant': 'a' })
    expect(explainNoReplay(toExchange({ path: '/v1/inventory?access_token=(hidden)' }))).toBe(
      'This request cannot be replayed: its URL contains credentials, which the mock redacts.',
    )
  })

  test('fetch gets the same as curl, to be run in a page', async () => {
    const asked: unknown[][] = []
    const exchange = toExchange({ method: 'PATCH', body: `{"a":"it's"}`, headers: { prefer: 'code=404', host: 'x' } })
    const text = copyRequest.fetch(exchange, { url: new URL('http://h/v1/inventory/1?a=b'), apiKey: 'key' })
    await new Function('fetch', `return (async () => { ${text} })()`)((...given: unknown[]) => asked.push(given))
    expect(asked).toEqual([
      [
        'http://h/v1/inventory/1?a=b',
        { method: 'PATCH', headers: { authorization: 'Bearer key', prefer: 'code=404' }, body: `{"a":"it's"}` },
      ],
    ])
  })

  test.each([
    ['demo-key', { apiKey: 'demo-key', sandbox: 'default' }],
    ['demo-key~a', { apiKey: 'demo-key', sandbox: 'a' }],
    // The page shows the sandbox that it names, and changes no other.
    ['demo-key', { apiKey: 'demo-key~a', sandbox: 'default' }],
    ['demo-key~b', { apiKey: 'demo-key~a', sandbox: 'b' }],
  ])('%s is the key of %j', (key, state) => {
    expect(toApiKey(state)).toBe(key)
  })

  test('a key with a sandbox has two parts', () => {
    expect(splitApiKey('demo-key~checkout-7')).toEqual({ apiKey: 'demo-key', sandbox: 'checkout-7' })
    expect(['demo-key', 'demo-key~', 'demo-key~my tests'].map(splitApiKey)).toEqual([undefined, undefined, undefined])
  })
})

describe('what the console keeps', () => {
  test('an event that comes while the whole is on its way counts, and one that is older does no harm', async () => {
    const seen: string[] = []
    let give = (_whole: string): void => {}
    const replica = createReplica({
      load: () =>
        new Promise<string>((resolve) => {
          give = resolve
        }),
      begin: (whole) => void seen.push(`begin ${whole}`),
      apply: (event: string) => void seen.push(event),
    })
    const refreshed = replica.refresh()
    replica.push('one')
    give('whole')
    await refreshed
    replica.push('two')
    expect(seen).toEqual(['one', 'begin whole', 'one', 'two'])
  })

  test('of two refreshes the later one counts', async () => {
    const gives: ((whole: number) => void)[] = []
    const begun: number[] = []
    const replica = createReplica({
      load: () => new Promise<number>((resolve) => gives.push(resolve)),
      begin: (whole) => void begun.push(whole),
      apply: () => {},
    })
    const both = [replica.refresh(), replica.refresh()]
    gives[1]?.(2)
    gives[0]?.(1)
    await Promise.all(both)
    expect(begun).toEqual([2])
  })

  test('a refresh that fails leaves events to be applied', async () => {
    const seen: string[] = []
    const replica = createReplica({
      load: async () => Promise.reject(new Error('gone')),
      begin: () => {},
      apply: (event: string) => void seen.push(event),
    })
    await expect(replica.refresh()).rejects.toThrow('gone')
    replica.push('one')
    expect(seen).toEqual(['one'])
  })

  test('the journal is bounded, without doubles, the newest first also where they come out of order', () => {
    const ids = [2, 1, 3, 3, ...Array.from({ length: 300 }, (_, index) => 4 + index)]
    const journal = ids.reduce<readonly Exchange[]>((list, id) => addToJournal(list, toExchange({ id })), [])
    expect([journal.length, journal[0]?.id, journal.at(-1)?.id]).toEqual([JOURNAL_LENGTH, 303, 104])
  })

  test('traffic counts fates by the second, and forgets what is older than a minute', () => {
    const at = (seconds: number, answer?: number): [Exchange, number] => [toExchange({ answer }), seconds * 1000]
    const events = [at(1, 200), at(100, 200), at(100.9, 404), at(101, 503), at(101), at(130, 204)]
    const traffic = events.reduce<Traffic>((all, [exchange, time]) => addToTraffic(all, exchange, time), NO_TRAFFIC)
    expect(Object.fromEntries(traffic.seconds)).toEqual({
      100: { answered: 1, refused: 1, failed: 0 },
      101: { answered: 0, refused: 0, failed: 2 },
      130: { answered: 1, refused: 0, failed: 0 },
    })
  })
})

describe('what the console shows', () => {
  test('ids are ordered as numbers, whatever their length', () => {
    const ids = ['10', '-9223372036854775808', '9007199254740993', '9', '-1', '0', '9007199254740992']
    expect(ids.toSorted(compareIds)).toEqual([
      '-9223372036854775808',
      '-1',
      '0',
      '9',
      '10',
      '9007199254740992',
      '9007199254740993',
    ])
  })

  test('rows are filtered by a part of the id and by statuses, and keep the order of the mock unless sorted', () => {
    const pets = createPetList([toPet(3, 5, 'sold'), toPet(31, 1, 'pending'), toPet(1, 3, 'sold')])
    const ids = (query: Partial<Parameters<typeof toPetRows>[1]>) =>
      toPetRows(pets, { id: '', statuses: [], sort: undefined, ...query }).map(({ petId }) => petId)
    expect(ids({})).toEqual(['3', '31', '1'])
    expect(ids({ id: '3' })).toEqual(['3', '31'])
    expect(ids({ statuses: ['sold'] })).toEqual(['3', '1'])
    expect(ids({ sort: { column: 'quantity', isDescending: true } })).toEqual(['3', '1', '31'])
  })

  test('every pet has a column while there is room', () => {
    const rows = [toListed(1, 5, 'sold'), toListed(2, -3, 'available')]
    const { columns, petsPerColumn } = toStockColumns(rows, { each: 2, shared: 4 })
    expect([petsPerColumn, columns.map(({ low, high, status }) => [low, high, status])]).toEqual([
      1,
      [
        [5, 5, 'sold'],
        [-3, -3, 'available'],
      ],
    ])
  })

  test('where pets share columns none is lost, statuses do not mix, and each shows its lowest and highest', () => {
    const statuses = ['available', 'pending', 'sold'] as const
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      toListed(index, ((index * 7919) % 100) - 10, statuses[index % 3] ?? 'sold'),
    )
    const { columns, petsPerColumn } = toStockColumns(rows, { each: 200, shared: 400 })
    expect(petsPerColumn).toBe(25)
    expect(columns.length).toBeLessThanOrEqual(403)
    expect(new Set(columns.flatMap(({ pets }) => pets)).size).toBe(10_000)
    for (const { pets, low, high, status } of columns) {
      expect(pets.every((pet) => pet.status === status && pet.quantity >= low && pet.quantity <= high)).toBe(true)
    }
    expect([Math.min(...columns.map(({ low }) => low)), Math.max(...columns.map(({ high }) => high))]).toEqual([
      -10, 89,
    ])
  })

  test.each([
    [950, '950'],
    [-12, '-12'],
    [-1234, '-1.2K'],
    [1_234_567, '1.2M'],
    [999_900_000_000_000, '999.9T'],
    [5e15, '5e15'],
    [-1e16, '-1e16'],
    [-9_007_199_254_740_991, '-9e15'],
    [1.25e17, '1.3e17'],
  ])('beside a picture %i is %s', (value, text) => {
    expect(toCompact(value)).toBe(text)
    expect(text.length).toBeLessThanOrEqual(6)
  })

  test('a number is whole where it fits, else rounded, and never cut', () => {
    const values = [-9_007_199_254_740_991, -1_234_567, 1_234_567, -5, 0]
    expect(values.map((value) => toFitting(value, 22))).toEqual([
      '-9,007,199,254,740,991',
      '-1,234,567',
      '1,234,567',
      '-5',
      '0',
    ])
    expect(values.map((value) => toFitting(value, 5))).toEqual(['-9e15', '-1.2M', '1.2M', '-5', '0'])
    expect(values.map((value) => toFitting(value, 2))).toEqual(['', '', '', '-5', '0'])
  })

  test.each([
    [200, '200 ms'],
    [1000, '1,000 ms'],
    [[100, 300], '100 to 300 ms'],
    ['5-1000', '5 to 1,000 ms'],
  ] as const)('a latency of %j is %s', (delay, text) => {
    expect(toMilliseconds(delay)).toBe(text)
  })

  test.each([
    [0, 0, [0, 1]],
    [0, 25, [0, 10, 20, 30]],
    [-3, 7, [-5, 0, 5, 10]],
    [-40, 0, [-40, -30, -20, -10, 0]],
    [0, 9_007_199_254_740_991, [0, 5e15, 1e16]],
  ])('a scale from %i to %i has lines at %j', (low, high, ticks) => {
    expect(toScale(low, high).ticks).toEqual(ticks)
  })
})

function toExchange(
  given: Partial<Exchange['request']> & { readonly id?: number; readonly answer?: number | undefined },
): Exchange {
  const { id = 1, answer, method = 'GET', path = '/v1/inventory', headers = {}, body = '', ...rest } = given
  return {
    id,
    time: '2030-01-01T00:00:00.000Z',
    duration: 1,
    sandbox: 'default',
    resource: path.replace('/v1', ''),
    request: { method, path, headers, body, ...rest },
    ...(answer !== undefined && { answer: { status: answer, headers: {}, body: '' } }),
  }
}

function toPet(petId: number, quantity: number, status: Pet['status']): Pet {
  return { petId: String(petId), quantity, status }
}

function toListed(petId: number, quantity: number, status: Pet['status']) {
  return { ...toPet(petId, quantity, status), changedAt: 0 }
}

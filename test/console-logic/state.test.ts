import { describe, expect, test } from 'vitest'
import { createAddresses, toAnswerError, toFieldError } from '../../src/console/api/control.ts'
import { readEvents } from '../../src/console/api/events.ts'
import { isSandboxName, type JournalEntry, parseJson, toApiKey, toPrettyBody } from '../../src/console/api/model.ts'
import { toFault, toTime } from '../../src/console/state/faults.ts'
import { toJournalQuery, toReason } from '../../src/console/state/journal.ts'
import { compareIds, parsePets, toNumber } from '../../src/console/state/pets.ts'
import { copyRequest, explainNoReplay, isTestable, toOwnHeaders } from '../../src/console/state/reuse-request.ts'
import { createReplica } from '../../src/console/state/sync.ts'
import { TARGET, toEntry } from './to-entry.ts'

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
    const events = await Array.fromAsync(readEvents(new Blob(pieces).stream()))
    expect(events).toEqual([
      { event: 'pet', data: '{"petId":1,"name":"Mü"}' },
      { event: 'journal-cleared', data: '{}' },
      { data: 'a\nb' },
    ])
  })
})

describe('what the console sends', () => {
  test.each([
    ['5', '{"quantity":5}'],
    [' -3 ', '{"quantity":-3}'],
    ['−3', '{"quantity":-3}'],
    ['5.50', '{"quantity":5.5}'],
    ['99999999999999999999', '{"quantity":100000000000000000000}'],
    ['007', '{"quantity":"007"}'],
    ['five', '{"quantity":"five"}'],
    ['1}', '{"quantity":"1}"}'],
    ['', '{"quantity":""}'],
  ])('"%s" typed as a quantity is the body %s', (text, body) => {
    expect(JSON.stringify({ quantity: toNumber(text) })).toBe(body)
  })

  test.each<[Partial<Parameters<typeof toFault>[0]>, object]>([
    [{}, { status: 503 }],
    [{ petId: ' 9223372036854775807 ' }, { petId: '9223372036854775807', status: 503 }],
    [
      { times: '2', target: 'updateInventory', delay: '20' },
      { operation: 'updateInventory', status: 503, delay: '20', times: 2 },
    ],
    [
      { target: ' /orders/{id}', effect: 'reset' },
      { path: '/orders/{id}', error: 'reset' },
    ],
    [
      { target: 'post /orders', effect: 'none', delay: '100-300' },
      { method: 'POST', path: '/orders', delay: '100-300' },
    ],
    // What is no number is refused in the words of the mock.
    [
      { target: 'update', times: 'x', effect: 'none' },
      { operation: 'update', times: 'x' },
    ],
  ])('the sentence %j is the fault %j', (given, fault) => {
    const blank = { times: '', target: '', petId: '', effect: '503', delay: '' }
    expect(toFault({ ...blank, ...given })).toEqual(fault)
  })

  test.each([
    ['', {}],
    [' 4xx  fault ', { search: '4xx  fault' }],
    ['pet:5', { petId: '5' }],
    ['patch pet:-9223372036854775808 x', { petId: '-9223372036854775808', search: 'patch  x' }],
    ['pet:five', { search: 'pet:five' }],
  ])('"%s" typed to find requests is the query %j', (find, query) => {
    expect(toJournalQuery(find)).toEqual(query)
  })

  test.each([
    ['11 5 sold', [1], ['{"petId":"11","quantity":5,"status":"sold"}']],
    [
      '\nid\tquantity\tstatus\r\n1\t-2\tSold\r\n\r\n9223372036854775807\t3\r\n',
      [3, 5],
      [
        '{"petId":"1","quantity":-2,"status":"sold"}',
        '{"petId":"9223372036854775807","quantity":3,"status":"available"}',
      ],
    ],
    ['7; 1.5; x', [1], ['{"petId":"7","quantity":1.5,"status":"x"}']],
    [
      '"Pet id","In stock"\n"1","5","Sold",\n2,"1,000"',
      [2, 3],
      ['{"petId":"1","quantity":5,"status":"sold"}', '{"petId":"2","quantity":"1,000","status":"available"}'],
    ],
    ['seven x', [1], ['{"petId":"seven","quantity":"x","status":"available"}']],
    [' [{ "petId": 9223372036854775807, "quantity": 5 }]', [], ['{"petId":"9223372036854775807","quantity":5}']],
    ['{"inventory":[{"petId":1}]}', [], ['{"petId":"1"}']],
  ])('%j pasted is the pets of lines %j: %j', (text, lines, pets) => {
    expect(parsePets(text)).toEqual({ pets: JSON.parse(`[${pets.join(',')}]`), lines })
  })

  test.each([
    ['id\n\n1\n2', 'Line 3: enter an id, a quantity and a status, not 1'],
    ['1\t5\tsold\n2\t\tsold', 'Line 2: enter an id, a quantity and a status, not 2 sold'],
    ['1,5,sold,Rex', 'Line 1: enter an id, a quantity and a status, not 1 5 sold Rex'],
    [' \n', 'Enter a pet as: id, quantity, status'],
    ['{"pets":[]}', 'Enter a list of pets, or a fixture'],
  ])('%j pasted is no pets', (text, problem) => {
    expect(parsePets(text)).toBe(problem)
  })

  test('curl gets method, headers and body, quoted for a shell', () => {
    const entry = toEntry({
      method: 'PATCH',
      body: `{"a":"it's"}`,
      headers: { 'content-type': 'application/json', host: 'x' },
    })
    expect(copyRequest.curl(entry, { ...TARGET, url: new URL('http://h/v1/inventory/1?a=b') })).toBe(
      `curl -X PATCH -H 'authorization: Bearer k' -H 'content-type: application/json' --data-raw '{"a":"it'\\''s"}' 'http://h/v1/inventory/1?a=b'`,
    )
    expect(copyRequest.curl(toEntry({ method: 'HEAD' }), TARGET)).toMatch(/^curl --head /)
  })

  test.each([
    ['/v1/inventory?filter[status]=a', { headers: {} }, "curl --globoff -H 'authorization: Bearer k'"],
    ['/v1/pets/{1,2}', { headers: { 'x-empty': '' } }, "curl -H 'authorization: Bearer k' -H 'x-empty;'"],
    [
      '/v1/pets?{1,2}',
      { body: 'a' },
      "curl --globoff -X GET -H 'authorization: Bearer k' -H 'content-type:' --data-raw 'a'",
    ],
  ])('curl sends %s as it is, with %j', (path, request, line) => {
    const url = new URL(path, 'http://h/')
    expect(copyRequest.curl(toEntry(request), { ...TARGET, url })).toBe(`${line} '${url.href}'`)
  })

  test.each([
    ['/v1/inventory?a=b', 'http://h/below/v1/inventory?a=b'],
    ['/https://elsewhere.example/x', 'http://h/below/https://elsewhere.example/x'],
    ['//elsewhere.example/x', 'http://h/below//elsewhere.example/x'],
    ['/javascript:alert(1)', 'http://h/below/javascript:alert(1)'],
  ])('a request for %s stays with the mock', (path, url) => {
    expect(createAddresses(new URL('http://h/below/'), fetch).toService(path).href).toBe(url)
  })

  test.each<[string, Record<string, string>, string]>([
    [
      'an unknown key',
      { authorization: 'Bearer (hidden)' },
      "curl -H 'authorization: Bearer wrong-key' 'http://h/v1/inventory'",
    ],
    ['no key', {}, "curl 'http://h/v1/inventory'"],
  ])('curl repeats a 401 for %s', (_, headers, line) => {
    expect(
      copyRequest.curl(toEntry({ headers, answer: 401 }), { ...TARGET, url: new URL('http://h/v1/inventory') }),
    ).toBe(line)
  })

  test('a request is sent again unless the journal has only part of its body', () => {
    expect(explainNoReplay(toEntry({ body: '{"a":"ü"}' }))).toBeUndefined()
    const cut = 'This request cannot be sent again: the mock kept only part of its body.'
    for (const body of ['', '{}']) expect(explainNoReplay(toEntry({ body, isCut: true }))).toBe(cut)
  })

  test('a test is copied of what a new mock repeats: not of a client that left, nor of a handler, a stub or a proxy', () => {
    const known = toEntry({ answer: 200 })
    const none = toEntry({})
    const breaks = (error: 'reset' | 'timeout' | 'truncated') => ({ fault: { id: 1, error, inContract: false } })
    expect([known, { ...none, ...breaks('reset') }].map(isTestable)).toEqual([true, true])
    const others = [none, { ...none, ...breaks('timeout') }, { ...known, ...breaks('truncated') }]
    const answerers = ['handler', 'stub', 'proxy'] as const
    others.push(...answerers.map((by) => ({ ...known, by })), toEntry({ answer: 200, isCut: true }))
    expect(others.filter(isTestable)).toEqual([])
  })

  test('what the journal hides is not sent again, nor headers of the way there', () => {
    const hidden = {
      authorization: 'Bearer (hidden)',
      'x-api-key': '(hidden)',
      'x-forwarded-url': 'https://a/?token=(hidden)',
    }
    const headers = { host: 'a', 'sec-fetch-mode': 'cors', accept: '*/*', 'x-tenant': 'a', ...hidden }
    expect(toOwnHeaders(toEntry({ headers }))).toEqual({ 'x-tenant': 'a' })
    expect(explainNoReplay(toEntry({ path: '/v1/inventory?access_token=(hidden)' }))).toBe(
      'This request cannot be sent again: its URL contains credentials, which the mock redacts.',
    )
  })

  test('a sandbox has a name of 1 to 64 characters, of which none is a space or a slash', () => {
    expect(['a', 'checkout-7', 'x'.repeat(64)].map(isSandboxName)).toEqual([true, true, true])
    expect(['', 'my tests', 'a/b', 'x'.repeat(65)].map(isSandboxName)).toEqual([false, false, false, false])
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
})

describe('what the console keeps', () => {
  test('an event that comes while the whole is on its way counts; a second refresh begins after the first', async () => {
    const seen: string[] = []
    const loads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let count = 0
    const replica = createReplica({
      load() {
        begun[count]?.resolve()
        return (loads[count++] ?? expect.fail('a third load')).promise
      },
      begin: (whole) => void seen.push(whole),
      apply: (event: string) => void seen.push(event),
    })
    const refreshed = [replica.refresh(), replica.refresh()]
    await begun[0]?.promise
    replica.push('one')
    loads[1]?.resolve('second')
    loads[0]?.resolve('first')
    await begun[1]?.promise
    await Promise.all(refreshed)
    replica.push('two')
    expect(seen).toEqual(['one', 'first', 'one', 'second', 'two'])
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
})

describe('what the console shows', () => {
  test.each<[string, Partial<JournalEntry>, string | undefined]>([
    ['a success', { answer: { ...ANSWER, status: 200, body: '{"message":"fine"}' } }, undefined],
    ['an Error object', { answer: { ...ANSWER, body: '{"message":"There is no pet 9"}' } }, 'There is no pet 9'],
    ['an error without a message', { answer: ANSWER }, undefined],
    ['the body of a fault', { answer: ANSWER, fault: { id: 2, inContract: false } }, 'Response of fault 2'],
    ['a broken connection', { fault: { id: 1, error: 'reset', inContract: false } }, 'Fault: connection reset'],
    ['a client that left', {}, 'The client disconnected'],
    ['a key that is missing', toRefused({}), 'no Authorization header'],
    ['a key without Bearer', toRefused({ authorization: '(hidden)' }), 'Authorization is not Bearer with a key'],
    ['Bearer without a key', toRefused({ authorization: 'Bearer' }), 'Authorization is not Bearer with a key'],
    ['an unknown key', toRefused({ authorization: 'Bearer (hidden)' }), 'unknown key'],
    ['a 401 of a handler', { ...toRefused({}), by: 'handler' }, undefined],
    ['a 401 of a fault', { ...toRefused({}), fault: { id: 2, inContract: true } }, 'Response of fault 2'],
  ])('the reason of %s', (_, given, reason) => {
    expect(toReason({ ...toEntry({}), ...given })).toBe(reason)
  })

  test.each([
    [400, 'Failed to add a fault: times must be 1 or more, got "x" (string).', 'times must be 1 or more, got "x".'],
    [
      400,
      'Failed to add a fault: operation must be one of listOrders, got "list" (string). Did you mean listOrders?',
      'operation must be one of listOrders, got "list". Did you mean listOrders?',
    ],
    [400, 'quantity: must be an integer, got 1.5 (number)', 'quantity must be an integer, got 1.5'],
    [400, 'fixture: a: is required\nfixture: b: is required', 'a is required\nb is required'],
    [404, 'There is no pet 9', '404 · There is no pet 9'],
    [400, 'a\nb\nc\nd\ne', 'a\nb\nc\nd\ne'],
    [400, 'a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nd\ne\nand more'],
  ])('a %i with the message %j is %j beside a field', async (status, message, sentence) => {
    const error = await toAnswerError(Response.json({ message }, { status }))
    expect(toFieldError(error)).toBe(sentence)
  })

  test('ids are ordered as numbers, whatever their length', () => {
    const ids = ['10', '-9223372036854775808', '9007199254740993', '9', '-1', '0', '9007199254740992']
    const sorted = ['-9223372036854775808', '-1', '0', '9', '10', '9007199254740992', '9007199254740993']
    expect(ids.toSorted(compareIds)).toEqual(sorted)
  })

  test.each([
    [200, '200 ms'],
    [1500, '1.5 s'],
    [[100, 300], '100 to 300 ms'],
    ['5-1000', '5 to 1,000 ms'],
  ] as const)('a latency of %j is %s', (delay, text) => {
    expect(toTime(delay)).toBe(text)
  })
})

/** What the mock's own 401 has, without the message. */
function toRefused(headers: Record<string, string>): Partial<JournalEntry> {
  return { answer: { ...ANSWER, status: 401 }, request: { ...toEntry({}).request, headers } }
}

const ANSWER = { status: 500, headers: {}, body: 'oops' }

import { expect } from 'vitest'
import type { MockOptions } from '../src/index.ts'
import type { WireAnswer, WireRequest } from './contract.ts'

interface ContractCase {
  readonly title: string
  readonly exchanges: readonly Exchange[]
}

interface Exchange {
  readonly request: WireRequest
  readonly expected: Partial<WireAnswer>
}

interface ContractGroup {
  readonly title: string
  readonly options: MockOptions
  readonly cases: readonly ContractCase[]
}

const AUTHORIZED = { authorization: 'Bearer {key}' }
const JSON_BODY = { ...AUTHORIZED, 'content-type': 'application/json' }
/** Error objects. Their sentences are tested where they are made; here each is that of `mock.fetch`. */
const INVALID_REQUEST = expectError('invalid_request', 400)
const NOT_FOUND = expectError('not_found', 404)
const WRONG_KEY = { authorization: 'Bearer no' }
const CHALLENGE = { 'www-authenticate': 'Bearer realm="petstore"' }
const INVALID_TOKEN = { 'www-authenticate': 'Bearer realm="petstore", error="invalid_token"' }

const DEFAULT_LIST = toList([
  [1, 12, 'available'],
  [2, 3, 'available'],
  [3, 0, 'sold'],
  [4, 7, 'pending'],
  [5, 25, 'available'],
  [6, 1, 'available'],
  [7, 4, 'pending'],
  [8, 0, 'sold'],
  [9, 18, 'available'],
  [10, 2, 'pending'],
])

const BAGGAGE = 'userId=4711;ttl=60, petstore-mock-sandbox=carried'

/** Every behaviour of the service, as exchanges. Each case has its own sandbox. */
export const CONTRACT: readonly ContractGroup[] = [
  {
    title: 'GET /inventory',
    options: {},
    cases: [
      one('lists all pets in fixture order', get('/v1/inventory'), {
        status: 200,
        statusText: 'OK',
        body: DEFAULT_LIST,
      }),
      one('says what it sends', get('/v1/inventory'), {
        headers: {
          'content-type': 'application/json',
          'content-length': String(DEFAULT_LIST.length),
          'cache-control': 'no-store',
        },
      }),
      one(
        'HEAD answers as GET without the body',
        { ...get('/v1/inventory'), method: 'HEAD' },
        {
          status: 200,
          body: '',
          headers: { 'content-length': String(DEFAULT_LIST.length) },
        },
      ),
      one('ignores a query', get('/v1/inventory?status=sold'), { status: 200, body: DEFAULT_LIST }),
      one('answers JSON whatever is accepted', withHeaders(get('/v1/inventory'), { accept: 'text/html' }), 200),
    ],
  },
  {
    title: 'keys',
    options: { apiKeys: ['demo-key', 'other-key'] },
    cases: [
      one('no Authorization is 401 without an error', withHeaders(get('/v1/inventory'), { authorization: undefined }), {
        status: 401,
        statusText: 'Unauthorized',
        body: expectError('unauthorized', 401),
        headers: CHALLENGE,
      }),
      unauthorized('a wrong key is 401 with invalid_token', 'Bearer wrong-key'),
      unauthorized('a key of another case is 401', 'Bearer DEMO-KEY'),
      unauthorized('another scheme is 401 without an error', 'Basic ZGVtby1rZXk6', CHALLENGE),
      unauthorized('a scheme without a token is 401 without an error', 'Bearer', CHALLENGE),
      unauthorized('two tokens are 401', 'Bearer demo-key demo-key'),
      unauthorized('a token outside b64token is 401', 'Bearer demo"key'),
      unauthorized('a sandbox without a name is 401', 'Bearer demo-key~'),
      unauthorized('a sandbox name with a tilde is 401', 'Bearer demo-key~a~b'),
      unauthorized('a sandbox name with a slash is 401', 'Bearer demo-key~a/b'),
      unauthorized('a sandbox name of 65 characters is 401', `Bearer demo-key~${'n'.repeat(65)}`),
      unauthorized('a sandbox of a wrong key is 401', 'Bearer wrong-key~a'),
      one('the scheme has no case', withHeaders(get('/v1/inventory'), { authorization: 'bEARER {key}' }), 200),
      one(
        'a sandbox name of 64 characters is taken',
        withHeaders(get('/v1/inventory'), { authorization: `Bearer demo-key~${'n'.repeat(64)}` }),
        200,
      ),
      one('a second key is as good', withHeaders(get('/v1/inventory'), { authorization: 'Bearer other-key' }), 200),
      one('401 comes before 400: petId', withHeaders(patch('abc', '{}'), WRONG_KEY), 401),
      one('401 comes before 400: body', withHeaders(patch('1', '{'), WRONG_KEY), 401),
      one('401 comes before 404', withHeaders(patch('404', '{"quantity":1}'), WRONG_KEY), 401),
      one('401 comes before 501', withHeaders(get('/v1/pets/1'), WRONG_KEY), 401),
    ],
  },
  {
    title: 'PATCH /inventory/{petId}',
    options: {},
    cases: [
      many('sets the quantity, and the next list shows it', [
        [patch('2', '{"quantity":20}'), { status: 200, body: '{"petId":2,"quantity":20,"status":"available"}' }],
        [get('/v1/inventory'), { body: DEFAULT_LIST.replace('"petId":2,"quantity":3', '"petId":2,"quantity":20') }],
      ]),
      many('a sandbox does not see the change of another', [
        [withHeaders(patch('2', '{"quantity":20}'), { authorization: 'Bearer demo-key~elsewhere' }), 200],
        [get('/v1/inventory'), { body: DEFAULT_LIST }],
      ]),
      many('the baggage names the sandbox of a key that names none', [
        [withHeaders(patch('2', '{"quantity":20}'), { authorization: 'Bearer demo-key', baggage: BAGGAGE }), 200],
        [
          withHeaders(get('/v1/inventory'), { authorization: 'Bearer demo-key~carried' }),
          { body: DEFAULT_LIST.replace('"petId":2,"quantity":3', '"petId":2,"quantity":20') },
        ],
        [
          withHeaders(get('/v1/inventory'), { authorization: 'Bearer {key}', baggage: BAGGAGE }),
          { body: DEFAULT_LIST },
        ],
        [withHeaders(get('/v1/inventory'), { authorization: 'Bearer demo-key', baggage: `${BAGGAGE}%20` }), 401],
      ]),
      many('the last of many stands', [
        [patch('1', '{"quantity":1}'), 200],
        [patch('1', '{"quantity":2}'), 200],
        [patch('1', '{"quantity":3}'), { body: '{"petId":1,"quantity":3,"status":"available"}' }],
      ]),
      one('a pet with nothing left keeps its status', patch('4', '{"quantity":0}'), {
        body: '{"petId":4,"quantity":0,"status":"pending"}',
      }),
      one('a sold pet can have stock', patch('3', '{"quantity":5}'), {
        body: '{"petId":3,"quantity":5,"status":"sold"}',
      }),
      ...accepted({
        '5': 5,
        '5.0': 5,
        '5e0': 5,
        '50e-1': 5,
        '0.5E1': 5,
        '-3': -3,
        '-0': 0,
        '-0.0': 0,
        '9007199254740991': 9007199254740991,
        '-9007199254740991': -9007199254740991,
        '0e400': 0,
      }),
      one('unknown properties are ignored', patch('1', '{"status":"sold","quantity":1,"x":{"quantity":2}}'), {
        body: '{"petId":1,"quantity":1,"status":"available"}',
      }),
      one('of a repeated name the last one counts', patch('1', '{"quantity":"x","quantity":8}'), {
        body: '{"petId":1,"quantity":8,"status":"available"}',
      }),
      one(
        'of a repeated name the last one counts, also when it is bad',
        patch('1', '{"quantity":8,"quantity":"x"}'),
        400,
      ),
      one('white space and a BOM around the body do not matter', patch('1', '\uFEFF \n{ "quantity" :\t9 }\r\n'), 200),
      ...mediaTypes(),
      ...refusedBodies(),
      ...bodySizes(),
    ],
  },
  {
    title: 'petId',
    options: { fixture: 'int64-edges' },
    cases: [
      one('every int64 is exact in the list', get('/v1/inventory'), {
        body: toList([
          ['-9223372036854775808', 1, 'available'],
          ['-9007199254740993', 2, 'pending'],
          ['-1', 3, 'sold'],
          ['0', 4, 'available'],
          ['1', 5, 'pending'],
          ['9007199254740991', 6, 'sold'],
          ['9007199254740992', 7, 'available'],
          ['9007199254740993', 8, 'pending'],
          ['9223372036854775806', 9, 'available'],
          ['9223372036854775807', 0, 'sold'],
        ]),
      }),
      ...toWords(
        '-9223372036854775808 -9007199254740993 -1 0 1 9007199254740992 9007199254740993 9223372036854775807',
      ).map((petId) =>
        one(`${petId} is a pet of its own`, patch(petId, '{"quantity":77}'), {
          status: 200,
          body: expectText(new RegExp(`^\\{"petId":${petId},"quantity":77,"status":"(available|pending|sold)"\\}$`)),
        }),
      ),
      many('two ids that a double cannot tell apart are two pets', [
        [patch('9007199254740993', '{"quantity":1}'), 200],
        [patch('9007199254740992', '{"quantity":2}'), 200],
        [
          patch('9007199254740993', '{"quantity":1}'),
          { body: '{"petId":9007199254740993,"quantity":1,"status":"pending"}' },
        ],
      ]),
      one('a percent-encoded digit is that digit', patch('%31', '{"quantity":1}'), 200),
      ...toWords(
        'abc 7.0 007 +7 1e3 -0 9223372036854775808 -9223372036854775809 0x7 7%20 ٧ 1%2F2 % 00 - 99999999999999999999999999',
      ).map((petId) =>
        one(`petId ${JSON.stringify(petId)} is 400`, patch(petId, '{"quantity":1}'), {
          status: 400,
          body: INVALID_REQUEST,
        }),
      ),
      one('400 for petId comes before 400 for the body', patch('abc', '{'), { body: expectText(/petId/) }),
      one('400 for the body comes before 404', patch('404', '{"quantity":"x"}'), 400),
      one('a pet that is not there is 404', patch('404', '{"quantity":1}'), {
        status: 404,
        statusText: 'Not Found',
        body: NOT_FOUND,
      }),
    ],
  },
  {
    title: 'quantity range',
    options: { quantity: { min: 0, max: 100 } },
    cases: [
      one('the bounds are in', patch('1', '{"quantity":0}'), 200),
      one('the upper bound is in', patch('1', '{"quantity":100}'), 200),
      one('below is 400', patch('1', '{"quantity":-1}'), {
        status: 400,
        body: INVALID_REQUEST,
      }),
      one('above is 400', patch('1', '{"quantity":101}'), 400),
    ],
  },
  {
    title: 'routes',
    options: { sunset: '2027-03-01T00:00:00Z' },
    cases: [
      one('an unknown route is 404, without a key', withHeaders(get('/v1/unknown'), { authorization: undefined }), {
        status: 404,
        body: NOT_FOUND,
      }),
      one('the base path alone is 404', get('/v1'), 404),
      one('an empty segment is 404', get('/v1/inventory/'), 404),
      one('an empty petId is 404', patch('', '{"quantity":1}'), 404),
      one('a deeper path is 404', patch('1/stock', '{"quantity":1}'), 404),
      one('the path has case', get('/v1/Inventory'), 404),
      one(
        'another method is 405, without a key',
        { method: 'DELETE', path: '/v1/inventory', headers: {} },
        {
          status: 405,
          statusText: 'Method Not Allowed',
          headers: { allow: 'GET, HEAD' },
          body: expectError('method_not_allowed', 405),
        },
      ),
      one('GET of one pet is 405', get('/v1/inventory/1'), { status: 405, headers: { allow: 'PATCH' } }),
      one('HEAD of one pet is 405', { ...get('/v1/inventory/1'), method: 'HEAD' }, { status: 405, body: '' }),
      one('OPTIONS is 405', { ...get('/v1/inventory'), method: 'OPTIONS' }, 405),
      one('GET /pets/{petId} is 501 with the sunset given', get('/v1/pets/7'), {
        status: 501,
        statusText: 'Not Implemented',
        body: expectText(/^\{"code":"not_specified","message":".*handler of your own.*","status":501\}$/),
        headers: { sunset: 'Mon, 01 Mar 2027 00:00:00 GMT' },
      }),
      one('GET /store/orders is 501', get('/v1/store/orders'), 501),
    ],
  },
  {
    title: 'stubs',
    options: {
      stubs: [
        { path: '/pets/{petId}', body: { name: 'Zoë', id: 9223372036854775807n } },
        { path: '/pets/7', status: 403, headers: { 'X-Pet': ' seven', 'Content-Type': 'text/plain' }, body: 'seven' },
        { path: '/store/orders', status: 404 },
        { method: 'DELETE', path: '/store/orders', status: 204 },
        { method: 'POST', path: '/own', status: 201, needsKey: false, body: [] },
      ],
    },
    cases: [
      one('a template', get('/v1/pets/8'), { status: 200, body: '{"name":"Zoë","id":9223372036854775807}' }),
      one('a literal path', get('/v1/pets/7'), { status: 403, body: 'seven', headers: { 'x-pet': 'seven' } }),
      one('HEAD', { ...get('/v1/pets/7'), method: 'HEAD' }, { status: 403, body: '' }),
      one('no body', get('/v1/store/orders'), { status: 404, body: '' }),
      one('204 without a body', { ...get('/v1/store/orders'), method: 'DELETE' }, { status: 204, body: '' }),
      one('without a key', { ...get('/v1/pets/7'), headers: {} }, 401),
      one('no key needed', { method: 'POST', path: '/v1/own', headers: {}, body: '{}' }, { status: 201, body: '[]' }),
    ],
  },
]

function mediaTypes(): ContractCase[] {
  const toCase = (type: string | undefined, status: number): ContractCase => {
    // Bytes, because fetch adds its own Content-Type to a string.
    const request = { ...patch('1', '{"quantity":1}'), body: new TextEncoder().encode('{"quantity":1}') }
    const expected = status === 400 ? { status, body: INVALID_REQUEST } : { status }
    return one(`Content-Type ${type} is ${status}`, withHeaders(request, { 'content-type': type }), expected)
  }
  const taken = ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;profile="a;b"']
  const others = 'text/plain application/x-www-form-urlencoded application/jsonp application/merge-patch+json text/json'
  const refused = [...toWords(others), 'application/problem+json; charset=UTF-8', 'application/json, application/json']
  return [...taken.map((type) => toCase(type, 200)), ...[...refused, undefined].map((type) => toCase(type, 400))]
}

function accepted(quantities: Readonly<Record<string, number>>): ContractCase[] {
  return Object.entries(quantities).map(([text, quantity]) =>
    one(`quantity ${text} is the integer ${quantity}`, patch('1', `{"quantity":${text}}`), {
      status: 200,
      body: `{"petId":1,"quantity":${quantity},"status":"available"}`,
    }),
  )
}

function refusedBodies(): ContractCase[] {
  const quantities = '"five" "5" 5.5 null 5.00000000000000000001 1e-400 true [5] {"a":1} 9007199254740992 '
  const others = '-9007199254740992 1e400 9007199254740993.0 "é\\u0000" 05 NaN'
  const bodies = [
    ...[...toWords(quantities + others), `"${'x'.repeat(50)}"`].map((quantity) => `{"quantity":${quantity}}`),
    ...toWords('{} {"Quantity":1} [] 5 null "quantity" {"quantity":5 {\'quantity\':5} {"quantity":5}{}'),
    '',
  ]
  return [
    ...bodies.map((body) =>
      one(`body ${body.length > 60 ? `${body.slice(0, 60)}…` : body || '(empty)'} is 400`, patch('1', body), {
        status: 400,
        statusText: 'Bad Request',
        body: INVALID_REQUEST,
      }),
    ),
    one('a body that is not UTF-8 is 400', patch('1', new Uint8Array([0x7b, 0xff, 0x7d])), {
      status: 400,
      body: INVALID_REQUEST,
    }),
    many('a refused update changes nothing', [
      [patch('1', '{"quantity":"x"}'), 400],
      [get('/v1/inventory'), { body: DEFAULT_LIST }],
    ]),
  ]
}

function bodySizes(): ContractCase[] {
  const fill = (length: number): string => '{"quantity":1}'.padEnd(length, ' ')
  return [
    one('a body of 65,536 bytes is read', patch('1', fill(65_536)), 200),
    one('a body of 65,537 bytes is 400', patch('1', fill(65_537)), {
      status: 400,
      body: INVALID_REQUEST,
    }),
  ]
}

function unauthorized(title: string, authorization: string, headers = INVALID_TOKEN): ContractCase {
  return one(title, withHeaders(get('/v1/inventory'), { authorization }), { status: 401, headers })
}

/** What is expected of an answer: its status, or more. */
type Expected = number | Partial<WireAnswer>

function one(title: string, request: WireRequest, expected: Expected): ContractCase {
  return many(title, [[request, expected]])
}

function many(title: string, exchanges: readonly (readonly [WireRequest, Expected])[]): ContractCase {
  const toExchange = ([request, expected]: readonly [WireRequest, Expected]): Exchange => ({
    request,
    expected: typeof expected === 'number' ? { status: expected } : expected,
  })
  return { title, exchanges: exchanges.map(toExchange) }
}

function get(path: string): WireRequest {
  return { method: 'GET', path, headers: AUTHORIZED }
}

function patch(petId: string, body: string | Uint8Array<ArrayBuffer>): WireRequest {
  return { method: 'PATCH', path: `/v1/inventory/${petId}`, headers: JSON_BODY, body }
}

function withHeaders(request: WireRequest, changes: Readonly<Record<string, string | undefined>>): WireRequest {
  const headers = Object.entries({ ...request.headers, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { ...request, headers: Object.fromEntries(headers) }
}

function toWords(text: string): string[] {
  return text.trim().split(' ')
}

function expectError(code: string, status: number): string {
  return expectText(new RegExp(`^\\{"code":"${code}","message":"[^"\\\\]*(\\\\.[^"\\\\]*)*","status":${status}\\}$`))
}

function toList(pets: readonly (readonly [number | string, number, string])[]): string {
  return `[${pets.map(([petId, quantity, status]) => `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`).join(',')}]`
}

/** Vitest's asymmetric matcher stands where a text does. */
function expectText(pattern: RegExp): string {
  return expect.stringMatching(pattern) as string
}

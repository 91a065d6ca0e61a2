import { toWords } from './request.ts'

/** A placeholder for credentials, which no response may repeat. */
export const SECRET = 'hush4711'

/** Quantities that are none. */
export const BAD_QUANTITIES = toWords(`
  5.5 "5" null true [5] {} 9007199254740992 -9007199254740992 9007199254740993 1e400 -1e400 1e999999999
  5.0000000000000001 9007199254740990.5 1e-1 1e-400 "__proto__" {"toString":1} {"valueOf":5} [[[[5]]]] "\\ud800"
  9223372036854775807 18446744073709551616
`)

/** Bodies that are no update. */
export const BAD_BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  ...toWords(`
    null [] "x" 5 {} { {"quantity":5 {"quantity":5}} {"quantity":5}x {"quantity":5,} {'quantity':5} {quantity:5}
    {"quantity":05} {"quantity":+5} {"quantity":5.} {"quantity":.5} {"quantity":5e} {"quantity":-} {"quantity":NaN}
    {"quantity":Infinity} {"quantity":0x10} {"quantity":\u0661} {"Quantity":5} {"__proto__":{"quantity":5}}
    {"constructor":{"quantity":5}} [{"quantity":5}] {"quantity":5,"quantity":"5"} /**/{"quantity":5}
    {"quantity":5}{"quantity":6} {"a":"\\x41","quantity":5}
  `),
  '{"quantity":5}\0',
  '{"a":"\n","quantity":5}',
  '{"quantity ":5}',
  '\u2028{"quantity":5}',
  `{"quantity":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  '['.repeat(65_000),
  '{"a":'.repeat(13_000),
  Buffer.from('{"quantity":5}', 'utf16le'),
  Buffer.from('\ufeff{"quantity":5}', 'utf16le'),
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0x7b, 0x00, 0x7d]),
]

/** Bodies that can be read as 5 or refused, but not as anything else. */
export const UNDECIDED_BODIES: readonly (string | Buffer)[] = [
  '\ufeff{"quantity":5}',
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('","quantity":5}')]),
  `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)},"quantity":5}`,
  `{${'"a":1,'.repeat(9000)}"quantity":5}`,
  `{"quantity":5.${'0'.repeat(60_000)}}`,
  `{"quantity":5${'0'.repeat(60_000)}e-60000}`,
]

export const BAD_TYPES: readonly string[] = [
  'application/json, text/plain',
  'application /json',
  'multipart/form-data; boundary=x',
  ...toWords('text/plain application/merge-patch+json application/jsonx application/problem+json */* json __proto__'),
]

/** Credentials that open nothing. */
export const BAD_AUTHORIZATIONS: readonly string[] = [
  '',
  'Bearer',
  'Bearer ',
  'Basic ZGVtbzprZXk=',
  'demo-key',
  'Bearer wrong',
  'Bearer demo-key~',
  'Bearer ~x',
  'Bearer demo-key~a b',
  'Bearer demo-key~a/b',
  `Bearer demo-key~${'a'.repeat(65)}`,
  'Bearer d\u00e9mo',
  'Bearer demo-key~a~b',
  'Bearer demo-key,Bearer demo-key',
  'Bearer "demo-key"',
  'Digest username="x"',
  'Bearer __proto__',
  'Bearer demo-key%7Ex',
  'BearerX demo-key',
  `Bearer ${'k'.repeat(7000)}`,
  SECRET,
  `Bearer ${SECRET}`,
  `Bearer\t${SECRET}`,
  `bearer  ${SECRET}`,
  `Basic ${SECRET}`,
  `Unknown ${SECRET}`,
  `Bearer demo-key~${SECRET}!`,
  `Bearer demo-key ${SECRET}`,
]

export const BAD_PET_IDS: readonly string[] = [
  ...toWords(`
    abc 7.0 007 +7 1e3 -0 --1 9223372036854775808 -9223372036854775809 1%20 %201 1;a=b 1%2f2 1%00 %00 %ff %d9%a1 0x1
    __proto__ constructor toString 1,2 1_000 %2e%2e 1%0d%0aX-Injected:%201 1%3fx NaN Infinity %C0%AF
  `),
  '9'.repeat(4000),
]

/** Paths that lead to no update. */
export const BAD_PATHS: readonly string[] = [
  ...toWords(`
    / /v1 /v1/ /v1/inventory/ /v1/inventory/1/ /v1/inventory/1/2 /v2/inventory /V1/inventory /v1/Inventory
    /v1/inventory%00 /v1/inventory%2f1 /v1%2finventory //v1/inventory /v1//inventory /v1/inventoryx /v1/../etc/passwd
    /v1/inventory/..%2f.. /% /%zz /v1/% /v1/inventory/% // /// /__proto__ /v1/__proto__ /v1/constructor /. /.. /*
    /v1/inventory\\1 /| //evil.example/v1/inventory /http://a.example/v1/inventory /v1/inventory;x /v1;x/inventory
    /v1/./inventory /favicon.ico /robots.txt
  `),
  `/${'a'.repeat(7000)}`,
  `/v1/inventory?${'a=b&'.repeat(1500)}/../..`,
]

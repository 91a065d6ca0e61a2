import fc from 'fast-check'
import { type HostileRequest, JSON_BODY, LIST, pick, toUpdate, toWords, weigh } from './request.ts'

const ROUTES = toWords(`
  /_mock /_mock/ /_mock/health /_mock/state /_mock/state/save /_mock/reset /_mock/fixtures /_mock/load /_mock/pets/1
  /_mock/journal /_mock/faults /_mock/faults/1 /_mock/delay /_mock/sandboxes /_mock/sandboxes/nobody /_mock/events
  /_mock/clock /_mock/recording /_mock/spec.json /_mock/spec.yaml
  /_mock/openapi.json /_mock/console.js / /favicon.ico /robots.txt
`)

/** What the control API does not know, or cannot read. */
const BAD_QUERIES: readonly string[] = [
  ...toWords(`
    /_mock/journal?limit=-1 /_mock/journal?limit=1e400 /_mock/journal?status=abc /_mock/journal?petId=7.0
    /_mock/journal?after=NaN /_mock/journal?nope=1 /_mock/state?sandbox= /_mock/state?sandbox=a/b
    /_mock/state?sandbox=%00 /_mock/state?sandbox=% /_mock/state?sandbox[]=a /_mock/pets/abc
    /_mock/pets/9223372036854775808 /_mock/faults/abc /_mock/faults/0 /_mock/faults/%2e /_mock/nope /_mock//state
    /_mock/%2e%2e/v1/inventory /_mock/state/ /_mock/sandboxes/a%2fb /_mock/__proto__ /_mock/constructor
    /_mock/faults/9999999999999999999999 /_mock/journal?limit=1&limit=x /_mock/journal?__proto__=1
    /_mock/state?sandbox=%c3%a9
  `),
  `/_mock/state?sandbox=${'s'.repeat(65)}`,
]

const get = pick(
  toWords(`
    /state? /state? /state? /pets? /health? /journal? /journal?limit=1& /journal?status=200&operation=updateInventory&
    /faults? /delay?
  `),
).map((target) => toControl('GET', target))

const put = fc
  .tuple(pick(toWords('1 10 11 -5 9007199254740993 9223372036854775807')), fc.nat(1000))
  .map(([petId, quantity]) => toControl('PUT', `/pets/${petId}?`, `{"quantity":${quantity},"status":"sold"}`))

const remove = pick(toWords('1 7 11 9007199254740992')).map((petId) => toControl('DELETE', `/pets/${petId}?`))

const RESET = toControl('POST', '/reset?')

const FOREIGN_LINES = toWords(`
  Origin:https://evil.example Origin:null Origin:http://127.0.0.1.evil.example Host:evil.example Host:
  Host:evil.example:80 Host:127.0.0.1.evil.example Host:localhost@evil.example
`)

/** Another site's page, or another name for this address. */
const foreign = fc
  .tuple(pick([toControl('DELETE', '/pets/1?'), RESET, toControl('GET', '/state?')]), pick(FOREIGN_LINES))
  .map(([request, line]) => ({ ...request, headers: [line], statuses: [400, 403] }))

/** An absolute target of another host. */
const FOREIGN_TARGET = {
  method: 'DELETE',
  target: 'http://evil.example/_mock/pets/1?sandbox=SANDBOX',
  statuses: [400, 403, 404],
}

/** Deleting the journal of the default sandbox and the like is no one's loss here. */
const badQuery = fc
  .tuple(pick(toWords('GET GET DELETE TRACE PATCH')), pick(BAD_QUERIES))
  .map(([method, target]) => ({ method, target, statuses: 'no fault of the server' as const }))

/** Every route with every method: what a route does not do is refused, and HEAD has no body. */
const anyRoute = fc
  .tuple(
    pick(toWords('HEAD OPTIONS POST PUT PATCH DELETE TRACE QUERY')),
    pick(ROUTES),
    pick([undefined, '', '{}', 'x']),
  )
  .map(([method, target, body]) => ({
    method,
    target,
    statuses: 'no fault of the server' as const,
    ...(body !== undefined && !['HEAD', 'TRACE'].includes(method) && { body, headers: [JSON_BODY] }),
  }))

/** A request to the control API. */
export const control: fc.Arbitrary<HostileRequest> = weigh<HostileRequest>(
  [10, get],
  [4, put],
  [2, remove],
  [1, fc.constant(RESET)],
  [4, foreign],
  [2, fc.constant(FOREIGN_TARGET)],
  [6, badQuery],
  [4, anyRoute],
)

/** Lists that are longer than what sockets hold, between updates: some 45 KB for each thousand pets. */
export const longLists: fc.Arbitrary<readonly HostileRequest[]> = fc
  .tuple(
    pick([500, 5000]),
    fc.array(fc.option(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.nat(1000))), {
      size: 'max',
      minLength: 2,
      maxLength: 6,
    }),
  )
  .map(([length, between]) => {
    const items = Array.from({ length }, (_, index) => `{"petId":${index + 1},"quantity":${index},"status":"sold"}`)
    const load = toControl('PUT', '/state?', `{"inventory":[${items.join(',')}]}`)
    // The next case of this lane must not depend on this one.
    return [load, ...between.map((update) => (update === null ? LIST : toUpdate(...update))), LIST, RESET]
  })

function toControl(method: string, target: string, body?: string): HostileRequest {
  return { method, target: `/_mock${target}sandbox=SANDBOX`, ...(body !== undefined && { body, headers: [JSON_BODY] }) }
}

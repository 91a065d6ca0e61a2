import fc from 'fast-check'
import {
  BAD_AUTHORIZATIONS,
  BAD_BODIES,
  BAD_PATHS,
  BAD_PET_IDS,
  BAD_QUANTITIES,
  BAD_TYPES,
  UNDECIDED_BODIES,
} from './bad-values.ts'
import { type HostileRequest, JSON_BODY, KEY, LIST, pick, toUpdate, toWords, weigh } from './request.ts'
import { petId } from './valid.ts'

const LONGEST_BODY = 65_536

const update = fc
  .tuple(petId, pick(['', '', '', '', 'n'.repeat(40_000)]))
  .map(([pet, note]) => ({ ...toUpdate(pet, 666), body: `{"quantity":666,"note":"${note}"}` }))

/** An update with something else in it. */
function updateWith(changes: fc.Arbitrary<Partial<HostileRequest>>): fc.Arbitrary<HostileRequest> {
  return fc.tuple(update, changes).map(([request, change]) => ({ ...request, statuses: [400], ...change }))
}

/** The server may leave off reading. */
const tooLong = pick([1, 2, 1000, 200_000]).map(
  (more): Partial<HostileRequest> => ({ body: '{"quantity":5}'.padEnd(LONGEST_BODY + more), after: 'either' }),
)

const header = (name: string, values: readonly string[]) => fc.option(pick(values).map((value) => `${name}: ${value}`))
const badType = header('Content-Type', BAD_TYPES).map((line) => ({ headers: line === null ? [KEY] : [KEY, line] }))
const authorization = header('Authorization', BAD_AUTHORIZATIONS).map((line) => (line === null ? [] : [line]))
const badKey = authorization.map((headers) => ({ headers: [...headers, JSON_BODY], statuses: [401] }))

/** Where a segment decodes to two, it may be no path at all. */
const badPetId = pick(BAD_PET_IDS).map((id) => ({
  target: `/v1/inventory/${id}`,
  statuses: id.includes('%') ? [400, 404] : [400],
}))

/** Nothing may be executed, which the list shows afterwards. */
const badPath = fc
  .tuple(pick(toWords('GET GET PATCH HEAD POST')), pick(BAD_PATHS))
  .map(([method, target]): HostileRequest => {
    const statuses = [200, 302, 307, 308, 400, 401, 403, 404, 405, 414, 431]
    const hasBody = ['PATCH', 'POST'].includes(method)
    return { method, target, statuses, headers: [KEY, JSON_BODY], ...(hasBody && { body: '{"quantity":666}' }) }
  })

const otherMethod = fc
  .tuple(
    pick(toWords('PUT POST DELETE TRACE PROPFIND SEARCH M-SEARCH QUERY LINK PURGE')),
    pick(toWords('/v1/inventory /v1/inventory/1')),
  )
  .map(([method, target]) => ({ method, target, statuses: [405], ...(method === 'TRACE' && { body: undefined }) }))

/** Paths whose escapes stand for a pet. */
const ESCAPED = toWords(`
  /v1/inventory/%31 /v1/inventor%79/1 /%76%31/inventory/1 /v1/x/../inventory/1 /v1/inventory/1?x=%
`)

/** Targets with credentials in them, or in another form that only proxies see. */
const ODD_TARGETS = toWords(`
  http://user:pass@any.example/v1/inventory http://user@any.example:99999/v1/inventory http://[::1]/v1/inventory
  HTTP://ANY.EXAMPLE/v1/inventory https://any.example/v1/inventory http:///v1/inventory ftp://any.example/v1/inventory
  http://any.example:0/v1/inventory#top /v1/inventory#top
`)

/** A request that must be refused and change nothing, or that can be read in more than one way. */
export const refused: fc.Arbitrary<HostileRequest> = weigh<HostileRequest>(
  [30, updateWith(pick(BAD_QUANTITIES).map((quantity) => ({ body: `{"quantity":${quantity}}` })))],
  [30, updateWith(pick(BAD_BODIES).map((body) => ({ body })))],
  [20, updateWith(badType)],
  [15, badKey],
  [15, updateWith(badKey)],
  [30, updateWith(badPetId)],
  [30, badPath],
  [20, updateWith(otherMethod)],
  [10, pick(UNDECIDED_BODIES).map((body) => ({ ...toUpdate(1, 5), body }))],
  [10, pick(ESCAPED).map((target) => ({ ...toUpdate(1, 7), target }))],
  [10, pick(ODD_TARGETS).map((target) => ({ ...LIST, target, statuses: [200, 400, 404], after: 'either' as const }))],
  [5, updateWith(tooLong)],
)

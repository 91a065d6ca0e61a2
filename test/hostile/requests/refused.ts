import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import {
  BAD_AUTHORIZATIONS,
  BAD_BODIES,
  BAD_PATHS,
  BAD_PET_IDS,
  BAD_QUANTITIES,
  BAD_TYPES,
  UNDECIDED_BODIES,
} from './bad-values.ts'
import { isEither, isList, isNoServerError, isRefused, isUpdated } from './judges.ts'
import { authorize, type Draft, type HostileRequest, JSON_BODY, type Judge, toHostile, toWords } from './request.ts'
import { pickUpdate, toPatch } from './valid.ts'

type Maker = (random: Random, world: World) => HostileRequest

const LONGEST_BODY = 65_536

const badQuantity: Maker = (random, world) => refusedPatch(random, world, `{"quantity":${random.pick(BAD_QUANTITIES)}}`)

const badBody: Maker = (random, world) => refusedPatch(random, world, random.pick(BAD_BODIES))

/** The server may leave off reading. */
const tooLong: Maker = (random, world) => {
  const length = LONGEST_BODY + 1 + random.pick([0, 1, 1000, 200_000])
  const request = refusedPatch(random, world, `{"quantity":5${' '.repeat(length - 14)}}`)
  return { ...request, title: `body of ${length} bytes`, after: 'either' }
}

const undecidedBody: Maker = (random, world) => {
  const body = random.pick(UNDECIDED_BODIES)
  const { petId } = pickUpdate(random)
  const request = toPatch(random, world, { petId, quantity: 5n, body })
  const judge = isEither({ 200: isUpdated(petId, 5n), 400: isRefused(400), 404: isRefused(404) })
  return { ...request, title: `undecided body ${String(body).slice(0, 20)}`, judge }
}

const badType: Maker = (random, world) => {
  const type = random.chance(0.2) ? [] : [`Content-Type: ${random.pick(BAD_TYPES)}`]
  const headers = [authorize(world), ...type]
  return toHostile({ ...aPatch(random), title: `PATCH with ${type}`, headers, judge: isRefused(400) })
}

const badKey: Maker = (random) => {
  const headers = random.chance(0.2) ? [] : [`Authorization: ${random.pick(BAD_AUTHORIZATIONS)}`]
  const draft = random.chance(0.5) ? { headers } : { ...aPatch(random), headers: [...headers, JSON_BODY] }
  return toHostile({ ...draft, title: `${headers.join().slice(0, 45)}`, judge: isRefused(401) })
}

const badPetId: Maker = (random, world) => {
  const petId = random.pick(BAD_PET_IDS)
  return toHostile({
    ...aPatch(random),
    target: `/v1/inventory/${petId}`,
    headers: [authorize(world), JSON_BODY],
    // A segment that decodes to two may be no path at all.
    judge: petId.includes('%') ? isRefused(400, 404) : isRefused(400),
  })
}

const badPath: Maker = (random, world) => {
  const method = random.pick(['GET', 'GET', 'PATCH', 'HEAD', 'POST'])
  return toHostile({
    method,
    target: random.pick(BAD_PATHS),
    headers: [authorize(world), JSON_BODY],
    ...(['PATCH', 'POST'].includes(method) && { body: '{"quantity":666}' }),
    // Nothing may be executed, which the model checks afterwards.
    judge: isNoUpdate(method),
  })
}

function isNoUpdate(method: string): Judge {
  return (response, world) => {
    const isElsewhere = [302, 307, 308].includes(response.status)
    if (isElsewhere || (method === 'HEAD' && response.status < 500)) return undefined
    return isNoServerError(response, world)
  }
}

const METHODS = toWords('PUT POST DELETE TRACE PROPFIND SEARCH M-SEARCH QUERY LINK PURGE')

const otherMethod: Maker = (random, world) => {
  const method = random.pick(METHODS)
  return toHostile({
    method,
    target: random.pick(['/v1/inventory', '/v1/inventory/1']),
    headers: [authorize(world), JSON_BODY],
    ...(method !== 'TRACE' && { body: '{"quantity":666}' }),
    judge: isRefused(405),
  })
}

/** A path whose escapes stand for a pet: it is that pet, or refused. */
const ESCAPED = toWords(`
  /v1/inventory/%31 /v1/inventor%79/1 /%76%31/inventory/1 /v1/x/../inventory/1 /v1/inventory/1?x=%
`)

const escapedPet: Maker = (random, world) =>
  toHostile({
    method: 'PATCH',
    target: random.pick(ESCAPED),
    headers: [authorize(world), JSON_BODY],
    body: '{"quantity":7}',
    judge: isEither({ 200: isUpdated('1', 7n), 400: isRefused(400), 404: isRefused(404) }),
    onUnanswered: (model) => model.updatePerhaps('1', 7n),
  })

/** A target with credentials in it, or another form that only proxies see. */
const ODD_TARGETS = toWords(`
  http://user:pass@any.example/v1/inventory http://user@any.example:99999/v1/inventory http://[::1]/v1/inventory
  HTTP://ANY.EXAMPLE/v1/inventory https://any.example/v1/inventory http:///v1/inventory ftp://any.example/v1/inventory
  http://any.example:0/v1/inventory#top http://\u00ff/v1/inventory /v1/inventory#top
`)

const oddTarget: Maker = (random, world) =>
  toHostile({
    target: random.pick(ODD_TARGETS),
    headers: [authorize(world)],
    judge: isEither({ 200: isList, 400: () => undefined, 404: isRefused(404) }),
    after: 'either',
  })

const REFUSED: readonly (readonly [number, Maker])[] = [
  [3, badQuantity],
  [3, badBody],
  [2, badType],
  [3, badKey],
  [3, badPetId],
  [3, badPath],
  [2, otherMethod],
  [1, undecidedBody],
  [1, escapedPet],
  [1, oddTarget],
  [0.5, tooLong],
]

/** A request that must be refused, and change nothing. */
export function makeRefused(random: Random, world: World): HostileRequest {
  return random.weigh(REFUSED)(random, world)
}

function refusedPatch(random: Random, world: World, body: string | Buffer): HostileRequest {
  return toHostile({
    title: `body ${JSON.stringify(String(body).slice(0, 40))}`,
    method: 'PATCH',
    target: `/v1/inventory/${pickUpdate(random).petId}`,
    headers: [authorize(world), JSON_BODY],
    body,
    judge: isRefused(400),
  })
}

function aPatch(random: Random): Draft {
  const body = random.chance(0.2) ? `{"quantity":666,"note":"${'n'.repeat(40_000)}"}` : '{"quantity":666}'
  return { method: 'PATCH', target: `/v1/inventory/${1 + random.below(10)}`, body }
}

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
import { authorize, type HeaderLine, type HostileRequest, JSON_BODY, type Judge, toBytes } from './request.ts'
import { pickUpdate, toPatch } from './valid.ts'

type Maker = (random: Random, world: World) => HostileRequest

const LONGEST_BODY = 65_536

const badQuantity: Maker = (random, world) => {
  const text = random.pick(BAD_QUANTITIES)
  return refusedPatch(random, world, { title: `quantity ${text}`, body: `{"quantity":${text}}` })
}

const badBody: Maker = (random, world) => {
  const body = random.pick(BAD_BODIES)
  return refusedPatch(random, world, { title: `body ${JSON.stringify(String(body).slice(0, 40))}`, body })
}

const undecidedBody: Maker = (random, world) => {
  const body = random.pick(UNDECIDED_BODIES)
  const { petId } = pickUpdate(random)
  const request = toPatch(random, world, { petId, quantity: 5n, body })
  const judge = isEither({ 200: isUpdated(petId, 5n), 400: isRefused(400), 404: isRefused(404) })
  return { ...request, title: `undecided body ${String(body).slice(0, 20)}`, judge }
}

/** The server may leave off reading. */
const tooLong: Maker = (random, world) => {
  const length = LONGEST_BODY + 1 + random.pick([0, 1, 1000, 200_000])
  const body = `{"quantity":5${' '.repeat(length - 14)}}`
  return { ...refusedPatch(random, world, { title: `body of ${length} bytes`, body }), after: 'either' }
}

const badType: Maker = (random, world) => {
  const type = random.chance(0.2) ? undefined : random.pick(BAD_TYPES)
  const headers: HeaderLine[] = [authorize(world)]
  if (type !== undefined) headers.push(['Content-Type', type])
  return refuse({ title: `Content-Type ${type}`, statuses: [400], headers, ...aPatch(random) })
}

const badKey: Maker = (random) => {
  const authorization = random.chance(0.2) ? undefined : random.pick(BAD_AUTHORIZATIONS)
  const headers: HeaderLine[] = authorization === undefined ? [] : [['Authorization', authorization]]
  const title = `Authorization ${authorization?.slice(0, 30)}`
  if (random.chance(0.5)) return refuse({ title, statuses: [401], headers })
  return refuse({ title, statuses: [401], headers: [...headers, JSON_BODY], ...aPatch(random) })
}

const badPetId: Maker = (random, world) => {
  const petId = random.pick(BAD_PET_IDS)
  const headers = [authorize(world), JSON_BODY]
  const draft = { ...aPatch(random), target: `/v1/inventory/${petId}` }
  // A segment that decodes to two may be no path at all.
  return refuse({
    title: `pet ${petId.slice(0, 30)}`,
    statuses: petId.includes('%') ? [400, 404] : [400],
    headers,
    ...draft,
  })
}

const badPath: Maker = (random, world) => {
  const target = random.pick(BAD_PATHS)
  const method = random.pick(['GET', 'GET', 'PATCH', 'HEAD', 'POST'])
  const body = method === 'PATCH' || method === 'POST' ? '{"quantity":666}' : undefined
  return {
    title: `${method} ${target.slice(0, 40)}`,
    method,
    bytes: toBytes({ method, target, headers: [authorize(world), JSON_BODY], ...(body !== undefined && { body }) }),
    // Nothing may be executed, which the model checks afterwards.
    judge:
      method === 'HEAD'
        ? (response) => (response.status >= 500 ? `HEAD ${target}: ${response.status}` : undefined)
        : isNoUpdate,
    after: 'open',
  }
}

const isNoUpdate: Judge = (response, world) => {
  if (response.status === 302 || response.status === 307 || response.status === 308) return undefined
  return isNoServerError(response, world)
}

const otherMethod: Maker = (random, world) => {
  const method = random.pick([
    'PUT',
    'POST',
    'DELETE',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'M-SEARCH',
    'QUERY',
    'LINK',
    'PURGE',
  ])
  const target = random.pick(['/v1/inventory', '/v1/inventory/1'])
  const body = method === 'TRACE' ? {} : { body: '{"quantity":666}' }
  return {
    title: `${method} ${target}`,
    method,
    bytes: toBytes({ method, target, headers: [authorize(world), JSON_BODY], ...body }),
    judge: isRefused(405),
    after: 'open',
  }
}

/** A path whose escapes stand for a pet: it is that pet, or refused. */
const escapedPet: Maker = (random, world) => {
  const target = random.pick([
    '/v1/inventory/%31',
    '/v1/inventor%79/1',
    '/%76%31/inventory/1',
    '/v1/x/../inventory/1',
    '/v1/inventory/1?x=%',
  ])
  const request = toPatch(random, world, { petId: '1', quantity: 7n, body: '{"quantity":7}' })
  return {
    ...request,
    title: `PATCH ${target}`,
    bytes: toBytes({ method: 'PATCH', target, headers: [authorize(world), JSON_BODY], body: '{"quantity":7}' }),
    judge: isEither({ 200: isUpdated('1', 7n), 400: isRefused(400), 404: isRefused(404) }),
  }
}

/** A target with credentials in it, or another form that only proxies see. */
const oddTarget: Maker = (random, world) => {
  const target = random.pick([
    'http://user:pass@any.example/v1/inventory',
    'http://user@any.example:99999/v1/inventory',
    'http://[::1]/v1/inventory',
    'HTTP://ANY.EXAMPLE/v1/inventory',
    'https://any.example/v1/inventory',
    'http:///v1/inventory',
    'ftp://any.example/v1/inventory',
    'http://any.example:0/v1/inventory#top',
    'http://\u00ff/v1/inventory',
    '/v1/inventory#top',
  ])
  return {
    title: `GET ${target}`,
    method: 'GET',
    bytes: toBytes({ target, headers: [authorize(world)] }),
    judge: isEither({ 200: isList, 400: () => undefined, 404: isRefused(404) }),
    after: 'either',
  }
}

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

function refusedPatch(
  random: Random,
  world: World,
  { title, body }: { title: string; body: string | Buffer },
): HostileRequest {
  const { petId } = pickUpdate(random)
  return {
    title,
    method: 'PATCH',
    bytes: toBytes({
      method: 'PATCH',
      target: `/v1/inventory/${petId}`,
      headers: [authorize(world), JSON_BODY],
      body,
    }),
    judge: isRefused(400),
    after: 'open',
  }
}

function aPatch(random: Random): { method: string; target: string; body: string } {
  const body = random.chance(0.2) ? `{"quantity":666,"note":"${'n'.repeat(40_000)}"}` : '{"quantity":666}'
  return { method: 'PATCH', target: `/v1/inventory/${1 + random.below(10)}`, body }
}

function refuse(options: {
  title: string
  statuses: readonly number[]
  headers: readonly HeaderLine[]
  method?: string
  target?: string
  body?: string
}): HostileRequest {
  const { title, statuses, ...draft } = options
  const method = draft.method ?? 'GET'
  return {
    title: `${method} with ${title}`,
    method,
    bytes: toBytes(draft),
    judge: isRefused(...statuses),
    after: 'open',
  }
}

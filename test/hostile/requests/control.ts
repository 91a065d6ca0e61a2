import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { checkJson, isList, isNoServerError, isRefused, isReset, isState, isUpdated, unexpected } from './judges.ts'
import {
  authorize,
  type Draft,
  type HostileRequest,
  JSON_BODY,
  type Judge,
  toHostile,
  toUpdate,
  toWords,
} from './request.ts'

type Maker = (random: Random, world: World) => HostileRequest

const READABLE = toWords(`
  /health /journal /journal?limit=1 /journal?status=200&operation=updateInventory /faults /delay
`)

const ROUTES = toWords(`
  /_mock /_mock/ /_mock/health /_mock/state /_mock/state/save /_mock/reset /_mock/fixtures /_mock/load /_mock/pets/1
  /_mock/journal /_mock/faults /_mock/faults/1 /_mock/delay /_mock/sandboxes /_mock/sandboxes/nobody /_mock/events
  /_mock/clock /_mock/history /_mock/recording /_mock/spec.json /_mock/spec.yaml
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

const getState: Maker = (_random, world) => control(world, { target: '/state', judge: isState })

const getOther: Maker = (random, world) => {
  const target = random.pick(READABLE)
  const judge: Judge = (response) =>
    response.status === 200 ? checkJson(response) : unexpected(response, `GET ${target}`)
  return control(world, { target, judge })
}

const putPet: Maker = (random, world) => {
  const petId = random.pick(['1', '10', '11', '-5', '9007199254740993', '9223372036854775807'])
  const quantity = BigInt(random.below(1000))
  const judge: Judge = (response, model) => {
    if (response.status !== (model.has(petId) ? 200 : 201)) return unexpected(response, `pet ${petId}`)
    model.put(petId, { quantity, status: 'sold' })
    return checkJson(response)
  }
  const body = `{"quantity":${quantity},"status":"sold"}`
  return control(world, { method: 'PUT', target: `/pets/${petId}`, body, judge })
}

const deletePet: Maker = (random, world) => {
  const petId = random.pick(['1', '7', '11', '9007199254740992'])
  const judge: Judge = (response, model) => {
    if (!model.has(petId)) return isRefused(404)(response, model)
    model.remove(petId)
    return response.status === 204 ? undefined : unexpected(response, `the end of pet ${petId}`)
  }
  return control(world, { method: 'DELETE', target: `/pets/${petId}`, judge })
}

const reset: Maker = (_random, world) => control(world, { method: 'POST', target: '/reset', judge: isReset })

const FOREIGN_LINES = [
  ...toWords('Origin:https://evil.example Origin:null Origin:http://127.0.0.1.evil.example Host:evil.example Host:'),
  ...toWords('Host:evil.example:80 Host:127.0.0.1.evil.example Host:localhost@evil.example'),
]

/** Another site's page, or another name for this address. */
const foreign: Maker = (random, world) => {
  const line = random.pick(FOREIGN_LINES)
  const [method, target] = random.pick<readonly [string, string]>([
    ['DELETE', '/pets/1'],
    ['POST', '/reset'],
    ['GET', '/state'],
  ])
  const request = control(world, { method, target, headers: [line], judge: isRefused(403, 400) })
  return { ...request, title: `${request.title} with ${line}` }
}

/** An absolute target of another host. */
const foreignTarget: Maker = (_random, world) =>
  toHostile({
    method: 'DELETE',
    target: `http://evil.example/_mock/pets/1?sandbox=${world.sandbox}`,
    judge: isRefused(400, 403, 404),
  })

/** Deleting the journal of the default sandbox and the like is no one's loss here. */
const badQuery: Maker = (random) =>
  toHostile({
    method: random.pick(['GET', 'GET', 'DELETE', 'TRACE', 'PATCH']),
    target: random.pick(BAD_QUERIES),
    judge: isNoServerError,
  })

/** Every route with every method: what a route does not do is refused, and HEAD has no body. */
const anyRoute: Maker = (random) => {
  const method = random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'])
  const hasBody = !['HEAD', 'TRACE'].includes(method) && random.chance(0.5)
  return toHostile({
    method,
    target: random.pick(ROUTES),
    headers: random.chance(0.5) ? [JSON_BODY] : [],
    ...(hasBody && { body: random.pick(['', '{}', 'x']) }),
    judge: method === 'HEAD' ? isNoFault : isNoServerError,
  })
}

const isNoFault: Judge = (response) =>
  response.status < 500 ? undefined : unexpected(response, 'no fault of the server')

const CONTROL: readonly (readonly [number, Maker])[] = [
  [3, getState],
  [2, getOther],
  [2, putPet],
  [1, deletePet],
  [0.5, reset],
  [2, foreign],
  [1, foreignTarget],
  [3, badQuery],
  [2, anyRoute],
]

/** A request to the control API whose effect is known. */
export function makeControl(random: Random, world: World): HostileRequest {
  return random.weigh(CONTROL)(random, world)
}

/** Lists that are longer than what sockets hold, between updates: some 45 KB for each thousand pets. */
export function makeLongLists(random: Random, world: World): readonly HostileRequest[] {
  const pets = Array.from({ length: random.pick([500, 5000]) }, (_, index) => ({
    petId: String(index + 1),
    quantity: BigInt(random.below(1000)),
    status: 'sold',
  }))
  const items = pets.map(({ petId, quantity }) => `{"petId":${petId},"quantity":${quantity},"status":"sold"}`)
  const judge: Judge = (response, model) => {
    model.load(pets)
    return response.status === 200 ? undefined : unexpected(response, 'another state')
  }
  const list = toHostile({ headers: [authorize(world)], judge: isList })
  const update = (): HostileRequest => {
    const [petId, quantity] = [String(1 + random.below(500)), BigInt(random.below(1000))]
    const patch = toHostile({
      method: 'PATCH',
      judge: isUpdated(petId, quantity),
      onUnanswered: (model) => model.forget(),
    })
    return { ...patch, bytes: toUpdate(world, petId, quantity) }
  }
  const between = Array.from({ length: 2 + random.below(5) }, () => (random.chance(0.5) ? list : update()))
  const body = `{"inventory":[${items.join(',')}]}`
  // The next case of this lane must not depend on this one.
  return [control(world, { method: 'PUT', target: '/state', body, judge }), ...between, list, reset(random, world)]
}

function control(
  world: World,
  { headers = [], target = '', ...draft }: Draft & Pick<HostileRequest, 'judge'>,
): HostileRequest {
  const query = `${target.includes('?') ? '&' : '?'}sandbox=${world.sandbox}`
  return toHostile({
    ...draft,
    target: `/_mock${target}${query}`,
    headers: draft.body === undefined ? headers : [...headers, JSON_BODY],
    ...(draft.method !== undefined && { onUnanswered: (model: World) => model.forget() }),
  })
}

import { ERROR_ORDERS, type ErrorCodes, type Profile } from '../../inventory/profile.ts'
import type { QuantityRange } from '../../inventory/stock-update.ts'
import type { OperationId } from '../../operations/define-operation.ts'
import type { Exchange } from '../conformance/exchange.ts'
import { hideKey } from '../hide-key.ts'
import { findQuantityBound } from './find-quantity-bound.ts'
import { BROKEN_BODY, type ProbeSession, toBody, toOneOf, Undecided, WRONG_BEARER } from './probe-session.ts'

/** A property of a profile, with the place in it: `codes.401`. */
export type ProfilePoint =
  | Exclude<keyof Profile, '$schema' | 'description' | 'quantity' | 'codes'>
  | `quantity.${keyof QuantityRange}`
  | `codes.${keyof ErrorCodes}`

/** Finds how a service decides one point. */
export interface Probe {
  readonly operation: OperationId
  /** @throws {Undecided} if the responses fit no value of the point. */
  readonly find: (session: ProbeSession) => Promise<string | number>
}

/** A probe for every point of a profile. The compiler reports a missing one. */
export const PROBES: { readonly [Point in ProfilePoint]: Probe } = {
  'codes.401': list(async (session) => readCode(await session.list(null), { status: 401, session })),
  challenge: list(async (session) => {
    const response = await session.list(null)
    toOneOf(response, [401])
    return response.headers.has('www-authenticate') ? 'send' : 'omit'
  }),
  lowerCaseScheme: list(async (session) => {
    const response = await session.list(`bearer ${session.apiKey}`)
    return toOneOf(response, [200, 401]) === 200 ? 'accept' : 'reject'
  }),
  'quantity.min': update((session) =>
    findQuantityBound(session, { widest: Number.MIN_SAFE_INTEGER, frequent: [0, 1, -(2 ** 31)] }),
  ),
  'quantity.max': update((session) =>
    findQuantityBound(session, { widest: Number.MAX_SAFE_INTEGER, frequent: [2 ** 31 - 1] }),
  ),
  decimalQuantity: update(async (session) =>
    decide(session, { body: `{"quantity":${await session.findQuantity()}.0}` }),
  ),
  unknownProperties: update(async (session) => {
    const quantity = await session.findQuantity()
    return decide(session, { body: JSON.stringify({ quantity, 'petstore-check': true }) })
  }),
  missingContentType: update(async (session) =>
    decide(session, { body: toBody(await session.findQuantity()), contentType: null }),
  ),
  otherContentType: update(async (session) =>
    decide(session, { body: toBody(await session.findQuantity()), contentType: 'text/plain' }),
  ),
  'codes.400': update(async (session) => readCode(await session.update({ body: '{}' }), { status: 400, session })),
  'codes.404': update(async (session) => {
    const body = toBody(await session.findQuantity())
    return readCode(await session.update({ petId: session.absentPetId, body }), { status: 404, session })
  }),
  malformedPetId: update((session) => findPetIdStatus(session, 'abc')),
  petIdBeyondInt64: update((session) => findPetIdStatus(session, '9223372036854775808')),
  order: update(findOrder),
}

function list(find: Probe['find']): Probe {
  return { operation: 'listInventory', find }
}

function update(find: Probe['find']): Probe {
  return { operation: 'updateInventory', find }
}

async function decide(
  session: ProbeSession,
  request: Parameters<ProbeSession['update']>[0],
): Promise<'accept' | 'reject'> {
  return toOneOf(await session.update(request), [200, 400]) === 200 ? 'accept' : 'reject'
}

async function findPetIdStatus(session: ProbeSession, petId: string): Promise<400 | 404> {
  const body = toBody(await session.findQuantity())
  return toOneOf(await session.update({ petId, body }), [400, 404])
}

/** Sends a request with each pair of errors. */
async function findOrder(session: ProbeSession): Promise<string> {
  const { absentPetId } = session
  const body = toBody(await session.findQuantity())
  const requests = [
    { statuses: [401, 400], request: { authorization: WRONG_BEARER, body: BROKEN_BODY } },
    { statuses: [401, 404], request: { authorization: WRONG_BEARER, petId: absentPetId, body } },
    { statuses: [400, 404], request: { petId: absentPetId, body: BROKEN_BODY } },
  ]
  const pairs: { first: number; second: number }[] = []
  for (const { statuses, request } of requests) {
    const first = toOneOf(await session.update(request), statuses)
    pairs.push({ first, second: statuses.find((status) => status !== first) ?? first })
  }
  const order = ERROR_ORDERS.find((each) =>
    pairs.every(({ first, second }) => each.indexOf(String(first)) < each.indexOf(String(second))),
  )
  if (order !== undefined) return order
  throw new Undecided(`no order fits: ${pairs.map(({ first, second }) => `${first} before ${second}`).join(', ')}`)
}

/** In characters. A longer one is hardly a code, and would fill the terminal and the file. */
const LONGEST_CODE = 200

/** @throws {Undecided} also for a code that repeats the key, which must not get into a file. */
function readCode(
  response: Exchange,
  { status, session }: { readonly status: number; readonly session: ProbeSession },
): string {
  toOneOf(response, [status])
  const { code } = (response.json ?? {}) as { readonly code?: unknown }
  if (typeof code !== 'string' || code === '') throw new Undecided('the Error object has no code')
  if (code.length > LONGEST_CODE) throw new Undecided(`the code is longer than ${LONGEST_CODE} characters`)
  if (hideKey(code, session.apiKey) !== code) throw new Undecided('the code repeats the API key')
  return code
}

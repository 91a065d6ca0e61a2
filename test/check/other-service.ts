import type { Profile } from '../../src/index.ts'
import { isNamed, type Pet, Refusal, startService, stock } from './services/plain-service.ts'

/** Where a service decides otherwise than the mock, at every point. */
export const OTHER_DECISIONS = {
  order: '404, 400, 401',
  malformedPetId: 404,
  quantity: { min: 0, max: 9999 },
  unknownProperties: 'reject',
  otherContentType: 'accept',
  challenge: 'omit',
  codes: { 400: 'E_INVALID', 401: 'E_KEY', 404: 'E_PET' },
} as const satisfies Profile

interface OtherService extends AsyncDisposable {
  readonly url: string
  /** The pets now. */
  readonly pets: Pet[]
  /** Every request, as `PATCH /v1/inventory/7`. */
  readonly requests: string[]
}

interface OtherOptions {
  readonly decisions?: Profile
  readonly apiKey?: string
  readonly pets?: readonly Pet[]
  /** Changes the response to a request, or the stock before it. */
  readonly tamper?: (request: { method: string; body: string; pets: Pet[] }) => object | undefined
}

const PETS = stock('3:12:available 9007199254740993:4:pending 9007199254740992:40:sold 8:0:sold')
const CODES = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' }

/** A service that shares no code with the mock. It decides as a profile says, where the specification is silent. */
export async function serveOther({
  decisions = OTHER_DECISIONS,
  apiKey = 'demo-key',
  pets: given = PETS,
  tamper,
}: OtherOptions = {}): Promise<OtherService> {
  const { order = '401, 400, 404', codes = {}, quantity: range = {}, ...points } = decisions
  const pets = structuredClone([...given])
  const requests: string[] = []
  const service = await startService((base, running) => ({
    apiKey,
    pets,
    answer: async (call) => {
      const tampered = tamper?.({ method: call.method, body: call.body, pets })
      return tampered === undefined ? base.answer(call) : { status: 200, body: JSON.stringify(tampered) }
    },
    route: (call) => {
      if (isNamed(call)) base.checkKey(call)
      return base.route(call)
    },
    // Updates check it in their own order.
    checkKey: (call) => call.method === 'GET' && base.checkKey(call),
    update: async (id, call) => {
      const malformed = findMalformed(id)
      for (const status of order.split(', ')) {
        if (status === '401') base.checkKey(call)
        if (malformed?.status === Number(status)) throw malformed
        if (status === '400') running.parseQuantity(running.parseBody(call))
        if (status === '404' && malformed === undefined) base.find(id)
      }
      return base.update(id, call)
    },
    parseBody: (call) => {
      const type = call.headers['content-type']
      const isTaken = type !== undefined && points.otherContentType === 'accept'
      const headers = isTaken ? { 'content-type': 'application/json' } : call.headers
      const body = base.parseBody({ ...call, headers })
      return points.unknownProperties === 'reject' && Object.keys(Object(body)).join() !== 'quantity' ? {} : body
    },
    parseQuantity: (body) => {
      const quantity = base.parseQuantity(body)
      if (quantity >= (range.min ?? -Infinity) && quantity <= (range.max ?? Infinity)) return quantity
      throw new Refusal(400, 'range', 'out of range')
    },
    refuse: ({ status }) => ({
      status,
      body: JSON.stringify({
        code: { ...CODES, ...codes }[status as 400] ?? 'other',
        message: `No: ${status}`,
        status,
      }),
      headers: status === 401 && points.challenge !== 'omit' ? { 'www-authenticate': 'Bearer' } : {},
    }),
  }))
  service.onRequest = (_, line) => requests.push(line)

  function findMalformed(id: string): Refusal | undefined {
    if (/^(?:0|-?[1-9]\d*)$/.test(id) && BigInt.asIntN(64, BigInt(id)) === BigInt(id)) return undefined
    return new Refusal(points.malformedPetId ?? 400, 'id', 'malformed')
  }

  return { ...service, url: service.url.replace('/v1', ''), pets, requests }
}

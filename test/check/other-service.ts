import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Profile } from '../../src/index.ts'

/** Where a service decides otherwise than the mock, at every point. */
export const OTHER_DECISIONS = {
  order: '404, 400, 401',
  malformedPetId: 404,
  petIdBeyondInt64: 404,
  quantity: { min: 0, max: 9999 },
  decimalQuantity: 'reject',
  unknownProperties: 'reject',
  missingContentType: 'accept',
  otherContentType: 'accept',
  lowerCaseScheme: 'reject',
  challenge: 'omit',
  codes: { 400: 'E_INVALID', 401: 'E_KEY', 404: 'E_PET' },
} as const satisfies Profile

export interface OtherPet {
  petId: string
  quantity: number
  status: string
}

interface OtherService extends AsyncDisposable {
  readonly url: string
  /** The pets now. */
  readonly pets: OtherPet[]
  /** Every request, as `PATCH /v1/inventory/7`. */
  readonly requests: string[]
}

interface OtherOptions {
  readonly decisions?: Profile
  readonly apiKey?: string
  readonly pets?: readonly OtherPet[]
  /** Changes the response to a request, or the stock before it. */
  readonly tamper?: (request: { method: string; body: string; pets: OtherPet[] }) => object | undefined
}

const PETS: readonly OtherPet[] = [
  { petId: '3', quantity: 12, status: 'available' },
  { petId: '9007199254740993', quantity: 4, status: 'pending' },
  { petId: '9007199254740992', quantity: 40, status: 'sold' },
  { petId: '8', quantity: 0, status: 'sold' },
]

const MEMBER = /"quantity"\s*:\s*([^,}\s]+)/

/** A service that shares no code with the mock. It decides as a profile says, where the specification is silent. */
export async function serveOther({
  decisions = OTHER_DECISIONS,
  apiKey = 'demo-key',
  pets: given = PETS,
  tamper,
}: OtherOptions = {}): Promise<OtherService> {
  const { order = '401, 400, 404', codes = {}, quantity = {}, ...points } = decisions
  const pets = given.map((pet) => ({ ...pet }))
  const requests: string[] = []

  function hasKey({ headers: { authorization = '' } }: IncomingMessage): boolean {
    return (
      authorization === `Bearer ${apiKey}` ||
      (points.lowerCaseScheme !== 'reject' && authorization === `bearer ${apiKey}`)
    )
  }

  /** The status of a malformed id. */
  function refuseId(id: string): 400 | 404 | undefined {
    const isInteger = /^-?(?:0|[1-9]\d*)$/.test(id) && id !== '-0'
    if (isInteger && BigInt.asIntN(64, BigInt(id)) === BigInt(id)) return undefined
    return (
      (/^[-+]?\d+$/.test(id) && BigInt.asIntN(64, BigInt(id)) !== BigInt(id)
        ? points.petIdBeyondInt64
        : points.malformedPetId) ?? 400
    )
  }

  function isBadBody({ headers }: IncomingMessage, body: string): boolean {
    const type = headers['content-type']
    if (
      type === undefined
        ? points.missingContentType !== 'accept'
        : type !== 'application/json' && points.otherContentType !== 'accept'
    )
      return true
    let json: unknown
    try {
      json = JSON.parse(body)
    } catch {
      return true
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return true
    if (points.unknownProperties === 'reject' && Object.keys(json).some((name) => name !== 'quantity')) return true
    const { quantity: value } = json as { quantity?: unknown }
    if (!Number.isSafeInteger(value)) return true
    if (points.decimalQuantity === 'reject' && /[.e]/i.test(MEMBER.exec(body)?.[1] ?? '')) return true
    return (value as number) < (quantity.min ?? -Infinity) || (value as number) > (quantity.max ?? Infinity)
  }

  function send(response: ServerResponse, status: number, json: string): void {
    const challenge = status === 401 && points.challenge !== 'omit' ? { 'www-authenticate': 'Bearer' } : {}
    response.writeHead(status, { 'content-type': 'application/json', ...challenge }).end(json)
  }

  function refuse(response: ServerResponse, status: 400 | 401 | 404): void {
    const ours = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' }
    send(response, status, JSON.stringify({ code: codes[status] ?? ours[status], message: `No: ${status}`, status }))
  }

  const toJson = (pet: OtherPet): string => `{"status":"${pet.status}","quantity":${pet.quantity},"petId":${pet.petId}}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const body = await text(request)
    const tampered = tamper?.({ method, body, pets })
    if (tampered !== undefined) return send(response, 200, JSON.stringify(tampered))
    if (method === 'GET') {
      if (!hasKey(request)) return refuse(response, 401)
      return url === '/v1/inventory' ? send(response, 200, `[${pets.map(toJson).join()}]`) : refuse(response, 404)
    }
    const id = url.replace('/v1/inventory/', '').replace(/\?.*/, '')
    const pet = pets.find(({ petId }) => petId === id)
    const refusal = refuseId(id)
    const errors = {
      401: !hasKey(request),
      400: refusal === 400 || isBadBody(request, body),
      404: pet === undefined && refusal !== 400,
    }
    const place = points.malformedPetIdOrder
    if (place === 'first' && refusal !== undefined) return refuse(response, refusal)
    const first = ([401, 400, 404] as const)
      .toSorted((one, other) => order.indexOf(String(one)) - order.indexOf(String(other)))
      .find((status) => errors[status] || (place === 'before body' && status === 400 && refusal !== undefined))
    if (first === 400 && place === 'before body' && refusal !== undefined) return refuse(response, refusal)
    if (first !== undefined || pet === undefined) return refuse(response, first ?? 404)
    pet.quantity = (JSON.parse(body) as OtherPet).quantity
    send(response, 200, toJson(pet))
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pets,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

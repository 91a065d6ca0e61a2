import { readFileSync } from 'node:fs'
import { Agent, request as sendOverTcp } from 'node:http'

/** A request as it goes over the wire; the path lies below the base path. */
export interface WireRequest {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
}

export interface WirePet {
  readonly petId: number
  readonly quantity: number
  readonly status: string
}

export const AUTHORIZATION = 'Bearer demo-key'

/** The ten pets that everybody serves. */
export const TEN_PETS = readTenPets()

export const GET_LIST: WireRequest = { method: 'GET', path: '/inventory' }

/** Sets the stock of the second pet. */
export const PATCH_ONE: WireRequest = toPatch(2, 20)

export function toPatch(petId: number, quantity: number): WireRequest {
  return { method: 'PATCH', path: `/inventory/${petId}`, body: JSON.stringify({ quantity }) }
}

export function toHeaders({ body }: WireRequest): Record<string, string> {
  return { authorization: AUTHORIZATION, ...(body !== undefined && { 'content-type': 'application/json' }) }
}

function readTenPets(): readonly WirePet[] {
  const text = readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { inventory: WirePet[] }).inventory
}

const PRIME = 7919

/** The ids of generated pets, from 1, in an order that leaves none out and keeps neighbours apart. */
export function toSpreadPetId(turn: number, pets: number): number {
  return 1 + ((turn * PRIME) % pets)
}

/** A response as it came over the wire. */
export interface WireResponse {
  readonly status: number
  readonly body: Buffer
}

/** Sends one request; `base` is a server's address with its base path. */
export function send(base: string, request: WireRequest, agent?: Agent): Promise<WireResponse> {
  const { method, path, body } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method, headers: { ...toHeaders(request), ...length }, ...(agent !== undefined && { agent }) }
  return new Promise((resolve, reject) => {
    const outgoing = sendOverTcp(base + path, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    outgoing.on('error', reject).end(body)
  })
}

/** Sends requests over one connection. */
export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

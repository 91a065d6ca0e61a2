import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** A request as it goes over the wire; the path lies below the base path. */
export interface WireRequest {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
  /** @default 'demo-key' */
  readonly apiKey?: string
}

export interface WirePet {
  readonly petId: number
  readonly quantity: number
  readonly status: string
}

export const BASE_PATH = '/v1'
const API_KEY = 'demo-key'
export const AUTHORIZATION: string = `Bearer ${API_KEY}`

/** The ten pets that everybody serves. */
export const TEN_PETS = readTenPets()

export const GET_LIST: WireRequest = { method: 'GET', path: '/inventory' }

/** Sets the stock of the second pet. */
export const PATCH_ONE: WireRequest = toPatch(2, 20)

export function toPatch(petId: number, quantity: number): WireRequest {
  return { method: 'PATCH', path: `/inventory/${petId}`, body: JSON.stringify({ quantity }) }
}

export function toHeaders({ body, apiKey = API_KEY }: WireRequest): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
}

function readTenPets(): readonly WirePet[] {
  const text = readFileSync(new URL('fixtures/default.json', ROOT), 'utf8')
  return (JSON.parse(text) as { inventory: WirePet[] }).inventory
}

import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

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

export const BASE_PATH = '/v1'
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
  const text = readFileSync(new URL('fixtures/default.json', ROOT), 'utf8')
  return (JSON.parse(text) as { inventory: WirePet[] }).inventory
}

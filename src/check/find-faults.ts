import { JsonNumber, parseExactJson } from '../http/exact-json.ts'
import type { Finding } from './report.ts'
import type { CheckResponse } from './service.ts'
import { findRepeated, isInteger, type ListedPet, parsePet, parsePets } from './stock.ts'

// What is wrong with one response.

export function fail(cause: string, message: string): Finding {
  return { verdict: 'failed', cause, message }
}

export function deviate(cause: string, message: string): Finding {
  return { verdict: 'differs', cause, message }
}

export function findDeviation(
  { status, json }: Pick<CheckResponse, 'status' | 'json'>,
  expected: number,
): Finding | undefined {
  if (status !== expected)
    return deviate(`status ${status}, not ${expected}`, `The status is ${status} and should be ${expected}`)
  const { code } = (json ?? {}) as { readonly code?: unknown }
  // Valid by the schema, but useless.
  return expected >= 400 && code === '' ? deviate('code', 'The code of the Error object is empty') : undefined
}

/** The response to an update is the pet with the new quantity and everything else unchanged. */
export function findEchoFault(
  { json }: CheckResponse,
  { petId, quantity, status }: Omit<ListedPet, 'quantity'> & { readonly quantity: string | undefined },
): Finding | undefined {
  const echoed = parsePet(json)
  if (echoed === undefined) return fail('echo', 'The response is no entry of the inventory')
  if (echoed.petId !== petId)
    return fail('echo petId', `The response is pet ${echoed.petId} and should be pet ${petId}`)
  if (quantity !== undefined && echoed.quantity !== quantity)
    return fail('echo quantity', `The response says quantity ${echoed.quantity} and should say ${quantity}`)
  if (echoed.status === status) return undefined
  const says = `The response says ${echoed.status} and the pet was ${status}`
  return fail('echo status', `${says}: an update sets the quantity alone`)
}

/** One entry per tracked pet, and all of them. */
export function findListFault({ json, headers }: CheckResponse): Finding | undefined {
  const [repeated] = findRepeated(parsePets(json) ?? [])
  if (repeated !== undefined) return deviate('repeated pets', `The list has more than one entry for pet ${repeated}`)
  const link = headers.get('link') ?? ''
  const sentence = `The list is only a part, which continues at ${link.split(';')[0]}: it must hold all pets`
  return /;\s*rel="?next\b/i.test(link) ? deviate('pages', sentence) : undefined
}

/** A 401 must say how to authenticate (RFC 9110, section 11.6.1). */
export function findChallengeFault({ headers }: CheckResponse): Finding | undefined {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) return deviate('no challenge', 'WWW-Authenticate is missing')
  const sentence = `WWW-Authenticate should name Bearer and is ${challenge}`
  return /^bearer\b/i.test(challenge) ? undefined : deviate('challenge', sentence)
}

export function toBody(quantity: number | string): string {
  return `{"quantity":${quantity}}`
}

/** The integer in a body, in decimal form; `5.0` and `5e0` are 5. `1e400` stays as it is, which no echo repeats. */
export function readQuantity(body: string | undefined): string | undefined {
  try {
    const { quantity } = parseExactJson(body ?? '') as { readonly quantity?: unknown }
    if (quantity instanceof JsonNumber) return quantity.source
    return isInteger(quantity) ? String(quantity) : undefined
  } catch {
    return undefined
  }
}

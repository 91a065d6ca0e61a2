import { ERROR_STATUSES } from '../http/error-response.ts'
import type { JsonText } from '../http/exact-json.ts'
import { createJsonResponse, createResponse, type WireResponse } from '../http/wire-response.ts'

/** What to answer by way of a fault. */
export interface FaultResponse {
  readonly status: number
  /** Where it brings a body of its own. */
  readonly bodyText?: JsonText
  /** In seconds. */
  readonly retryAfter?: number
}

/** The codes of the Error objects that only faults send. */
const FAULT_CODES: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.entries(ERROR_STATUSES).map(([code, status]) => [status, code])),
  404: 'not_found',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
}

/** Statuses whose answers have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = [204, 205, 304]

/** The answer that a fault gives: an Error object, unless it brings a body of its own. */
export function createFaultResponse({ status, bodyText, retryAfter }: FaultResponse): WireResponse {
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="petstore"' }),
  }
  if (BODILESS.includes(status)) return createResponse(status, '', headers)
  return createJsonResponse(status, bodyText?.source ?? JSON.stringify(toErrorObject(status)), headers)
}

function toErrorObject(status: number): { code: string; message: string; status: number } {
  return { code: FAULT_CODES[status] ?? 'fault', message: 'This answer was asked for by a fault', status }
}

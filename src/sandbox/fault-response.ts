import { ERROR_STATUSES, FAULT_STATUSES, type FaultCode } from '../http/error-response.ts'
import type { JsonText } from '../http/exact-json.ts'
import { createJsonResponse, createResponse, type WireResponse } from '../http/wire-response.ts'

/** The parts of a fault that make up its response. */
export interface FaultResponse {
  readonly status: number
  /** Replaces the default Error object. */
  readonly bodyText?: JsonText
  /** In seconds. */
  readonly retryAfter?: number
}

/** The `code` by status. Several codes go with 404. */
const CODES: ReadonlyMap<number, FaultCode> = new Map([
  ...Object.entries({ ...ERROR_STATUSES, ...FAULT_STATUSES }).map(
    ([code, status]) => [status, code as FaultCode] as const,
  ),
  [404, 'not_found'],
])

/** Statuses without a response body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = [204, 205, 304]

/** Creates the response of a fault: an Error object, unless the fault has its own body. */
export function createFaultResponse({ status, bodyText, retryAfter }: FaultResponse): WireResponse {
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="petstore"' }),
  }
  if (BODILESS.includes(status)) return createResponse(status, '', headers)
  return createJsonResponse(status, bodyText?.source ?? JSON.stringify(toErrorObject(status)), headers)
}

function toErrorObject(status: number): { code: FaultCode; message: string; status: number } {
  return { code: CODES.get(status) ?? 'fault', message: 'Response injected by a fault', status }
}

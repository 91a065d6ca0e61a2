import { CHALLENGE, ERROR_STATUSES, FAULT_STATUSES, type FaultCode } from '../http/error-response.ts'
import type { JsonText } from '../http/exact-json.ts'
import { createJsonResponse, createResponse, isBodilessStatus, type WireResponse } from '../http/wire-response.ts'
import type { ErrorCodes, Rules } from '../inventory/profile.ts'

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

/** Creates the response of a fault: an Error object like the service's own, unless the fault has its own body. */
export function createFaultResponse(
  { status, bodyText, retryAfter }: FaultResponse,
  { challenge, codes }: Pick<Rules, 'challenge' | 'codes'>,
): WireResponse {
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(status === 401 && challenge === 'send' && { 'www-authenticate': CHALLENGE }),
  }
  if (isBodilessStatus(status)) return createResponse(status, '', headers)
  const code = codes[status as keyof ErrorCodes] ?? CODES.get(status) ?? 'fault'
  const error = { code, message: 'Response injected by a fault', status }
  return createJsonResponse(status, bodyText?.source ?? JSON.stringify(error), headers)
}

import { MockError } from './mock-error.ts'
import { createJsonResponse, type HeaderFields, type WireResponse } from './wire-response.ts'

/**
 * Every `code` that an Error object of the mock can have besides `fault`, with its HTTP status. The list is closed. The
 * specification has neither 403 nor 429: only control routes and the proxy send `forbidden`, only control routes
 * `unknown_…`, and only control routes and faults `too_many_requests`.
 */
export const ERROR_STATUSES = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  /** The pet, fault or sandbox in the path of a control route does not exist. */
  unknown_pet: 404,
  unknown_fault: 404,
  unknown_sandbox: 404,
  method_not_allowed: 405,
  too_many_requests: 429,
  internal_error: 500,
  not_specified: 501,
  /** Sent only by the proxy and by faults. */
  bad_gateway: 502,
  /** Sent only by faults. */
  service_unavailable: 503,
  gateway_timeout: 504,
} as const

/** The machine-readable code of an Error object. */
export type ErrorCode = keyof typeof ERROR_STATUSES

/** The `code` in a fault's Error object: `fault` for a status that is not in `ERROR_STATUSES`. */
export type FaultCode = ErrorCode | 'fault'

/** The `WWW-Authenticate` of a 401 (RFC 6750, section 3). */
export const CHALLENGE = 'Bearer realm="petstore"'

/**
 * Serializes an Error object: all of the mock's own, but those of faults and of bytes that are no HTTP request.
 * @param options `sentCode` is the `code` in the body, if a profile replaces it; `status` another one than that of the code.
 */
export function createErrorResponse(
  code: ErrorCode,
  message: string,
  {
    headers = {},
    sentCode = code,
    status = ERROR_STATUSES[code],
  }: { headers?: HeaderFields; sentCode?: string; status?: number } = {},
): WireResponse {
  return createJsonResponse(status, JSON.stringify({ code: sentCode, message, status }), headers)
}

/** Logs the error; the response does not contain it. A MockError is the user's mistake, and any other error is a bug. */
export function toInternalError(error: unknown): WireResponse {
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}

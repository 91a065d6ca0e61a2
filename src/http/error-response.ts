import { createJsonResponse, type WireResponse } from './wire-response.ts'

/**
 * Every `code` an Error object of the mock can carry, with the HTTP status it comes with. The list is closed.
 * `forbidden` and `too_many_requests` are sent on control routes only, and the latter by faults: the service itself has
 * neither 403 nor 429.
 */
export const ERROR_STATUSES = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many_requests: 429,
  internal_error: 500,
  not_specified: 501,
} as const

/** The machine-readable code of an Error object. */
export type ErrorCode = keyof typeof ERROR_STATUSES

/** The one place where an Error object goes on the wire. */
export function createErrorResponse(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  const status = ERROR_STATUSES[code]
  return createJsonResponse(status, JSON.stringify({ code, message, status }), headers)
}

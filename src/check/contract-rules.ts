import type { ContractOperation } from '../operations/define-operation.ts'
import { createSlViolation, type SlViolation } from './sl-violation.ts'

/** The parts of a response that are judged. */
export interface JudgedAnswer {
  readonly operation: ContractOperation
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** Whether the specification lists the status for the operation. */
export function isListed({ operation, status }: Pick<JudgedAnswer, 'operation' | 'status'>): boolean {
  return (operation.statuses as readonly number[]).includes(status)
}

/**
 * Violations that Prism cannot judge: a status that the specification does not list (Prism replaces a 501 by its own
 * response, and follows a redirect), and a media type other than `application/json` (a malformed one crashes Prism, and
 * it accepts any type with the suffix `+json`).
 */
export function findEnvelopeViolation({ operation, status, contentType }: JudgedAnswer): SlViolation | undefined {
  if (!isListed({ operation, status })) {
    if (!operation.specified) return undefined
    const listed = operation.statuses.join(', ')
    return createSlViolation(
      [],
      `The status ${status} is not listed in the specification for ${operation.id}: ${listed}`,
    )
  }
  const [essence = ''] = (contentType ?? '').split(';')
  if (essence.trim().toLowerCase() === 'application/json') return undefined
  const got = contentType === undefined ? 'is missing' : `is ${JSON.stringify(contentType)}`
  return createSlViolation(['header', 'content-type'], `The Content-Type ${got} and must be application/json`)
}

/** A rule that the schema of an Error object cannot express: its `status` repeats the HTTP status. */
export function findErrorViolation({ status, body }: JudgedAnswer): SlViolation | undefined {
  if (status < 400) return undefined
  const error = JSON.parse(new TextDecoder().decode(body)) as { readonly status: unknown }
  if (error.status === status) return undefined
  return createSlViolation(
    ['body', 'status'],
    `Response body property status must repeat the HTTP status ${status}, got ${error.status}`,
  )
}

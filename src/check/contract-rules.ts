import type { ContractOperation } from '../operations/define-operation.ts'
import { createSlViolation, type SlViolation } from './sl-violation.ts'

/** What an operation answered, as far as it is judged. */
export interface JudgedAnswer {
  readonly operation: ContractOperation
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** Whether the specification lists the answer's status for the operation. */
export function isListed({ operation, status }: Pick<JudgedAnswer, 'operation' | 'status'>): boolean {
  return (operation.statuses as readonly number[]).includes(status)
}

/**
 * What is judged without Prism, since it would not live to tell, or would tell something else: a status that the
 * specification does not list (Prism puts an answer of its own in place of a 501, and follows a redirect), and a media
 * type that is not `application/json` (a malformed one ends Prism; any with the suffix `+json` is fine by it).
 */
export function findEnvelopeViolation({ operation, status, contentType }: JudgedAnswer): SlViolation | undefined {
  if (!isListed({ operation, status })) {
    if (!operation.specified) return undefined
    const listed = operation.statuses.join(', ')
    return createSlViolation(
      [],
      `The status ${status} is none that the specification lists for ${operation.id}: ${listed}`,
    )
  }
  const [essence = ''] = (contentType ?? '').split(';')
  if (essence.trim().toLowerCase() === 'application/json') return undefined
  const got = contentType === undefined ? 'is missing' : `is ${JSON.stringify(contentType)}`
  return createSlViolation(['header', 'content-type'], `The Content-Type ${got} and must be application/json`)
}

/** What a schema cannot say of an Error object: its `status` repeats the HTTP status. */
export function findErrorViolation({ status, body }: JudgedAnswer): SlViolation | undefined {
  if (status < 400) return undefined
  const error = JSON.parse(new TextDecoder().decode(body)) as { readonly status: unknown }
  if (error.status === status) return undefined
  return createSlViolation(
    ['body', 'status'],
    `Response body property status must repeat the HTTP status ${status}, got ${error.status}`,
  )
}

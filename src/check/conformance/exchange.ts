import { OPERATIONS } from '../../contract/operations.gen.ts'
import { parseExactJson } from '../../http/exact-json.ts'
import type { Operation, OperationId } from '../../operations/define-operation.ts'
import type { Judge } from '../judge.ts'
import type { SlViolation } from '../sl-violation.ts'
import { ask, type CheckedService } from './ask.ts'

/** A service, and the judge of its responses. */
export interface CheckTarget extends CheckedService {
  readonly judge: Judge
}

/** A request of a case. */
export interface CheckRequest {
  readonly operation: OperationId
  /** Replaces `{petId}`. */
  readonly petId?: string
  /**
   * The `Authorization` header; `null` sends none.
   * @default the valid key
   */
  readonly authorization?: string | null
  readonly body?: string
  /**
   * The `Content-Type` of a body; `null` sends none.
   * @default 'application/json'
   */
  readonly contentType?: string | null
  /** Whether the body is sent without its length. */
  readonly isChunked?: boolean
}

/** A response with its violations. */
export interface Exchange {
  readonly status: number
  readonly headers: Headers
  /** The body with exact numbers; `undefined` if it is not JSON. */
  readonly json: unknown
  readonly violations: readonly SlViolation[]
}

/** @throws {NoAnswer} if the service cannot be reached, closes the connection early, or takes too long. */
export async function exchange({ judge, ...service }: CheckTarget, request: CheckRequest): Promise<Exchange> {
  const operation = toOperation(request.operation)
  const { status, headers, body } = await ask(service, {
    method: operation.method,
    path: operation.path.replace('{petId}', request.petId ?? '1'),
    headers: toHeaders(request, service.apiKey),
    body: request.body,
    isChunked: request.isChunked,
  })
  const contentType = headers.get('content-type') ?? undefined
  const violations = await judge.judge({ operation, status, contentType, body })
  return { status, headers, json: parseBody(body), violations }
}

function toOperation(id: OperationId): Operation {
  return OPERATIONS.find((operation) => operation.id === id) as Operation
}

function toHeaders({ authorization, body, contentType }: CheckRequest, apiKey: string): Record<string, string> {
  const credential = authorization === undefined ? `Bearer ${apiKey}` : authorization
  const mediaType = body !== undefined && contentType === undefined ? 'application/json' : contentType
  return {
    ...(typeof credential === 'string' && { authorization: credential }),
    ...(typeof mediaType === 'string' && { 'content-type': mediaType }),
  }
}

export function parseBody(body: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

import { OPERATIONS } from '../../contract/operations.gen.ts'
import { parseExactJson } from '../../http/exact-json.ts'
import type { Operation, OperationId } from '../../operations/define-operation.ts'
import type { Judge } from '../judge.ts'
import type { SlViolation } from '../sl-violation.ts'
import { ask, type CheckedService } from './ask.ts'

/** A service, and who judges its answers. */
export interface CheckTarget extends CheckedService {
  readonly judge: Judge
}

/** A request of the pack. */
export interface CheckRequest {
  readonly operation: OperationId
  /** In the place of `{petId}`. */
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
}

/** A request's answer, judged. */
export interface Exchange {
  readonly status: number
  readonly headers: Headers
  /** The body, its numbers exact; `undefined` where it is not JSON. */
  readonly json: unknown
  readonly violations: readonly SlViolation[]
}

/** @throws {NoAnswer} where the service cannot be reached, breaks off, or takes too long. */
export async function exchange({ judge, ...service }: CheckTarget, request: CheckRequest): Promise<Exchange> {
  const operation = toOperation(request.operation)
  const { status, headers, body } = await ask(service, {
    method: operation.method,
    path: operation.path.replace('{petId}', request.petId ?? '1'),
    headers: toHeaders(request, service.apiKey),
    body: request.body,
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

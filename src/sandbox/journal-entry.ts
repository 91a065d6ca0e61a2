import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import { type Bytes, joinBytes } from '../http/bytes.ts'
import { hideInAddress, hideInHeaders } from '../http/hide-credentials.ts'
import type { ConnectionFaultKind } from '../http/outcome.ts'
import type { RequestRecord } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { type PetId, type PetKey, toPetId } from '../inventory/pet.ts'

/** One exchange: a request and its response. */
export interface JournalEntry {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /**
   * When the request arrived, in ISO 8601.
   * @format date-time
   */
  readonly time: string
  /** The time from the request to its response, in milliseconds. */
  readonly duration: number
  /** The name of the sandbox. */
  readonly sandbox: string
  /** The requested operation of the specification. Missing if no route matched. */
  readonly operation?: OperationId
  /** The operation's stability in the specification. Missing if it is stable. */
  readonly stability?: 'experimental' | 'deprecated'
  /** The pet in the request's path. */
  readonly petId?: PetId
  /** The path below the base path, without the query: `/inventory/7`. */
  readonly resource: string
  /** What the client sent. */
  readonly request: JournalRequest
  /** The response. Missing if the client got none: it disconnected, or a fault broke the connection. */
  readonly answer?: JournalAnswer
  /** The fault that the request triggered. */
  readonly fault?: JournalFault
  /** `true` if the response came from the target of `proxy`. */
  readonly isProxied?: true
  /** `true` if the response is one of `stubs`. */
  readonly isStubbed?: true
}

/** A request, as the journal keeps it. Credentials, also in parameters named like one, are replaced by `(hidden)`. */
export interface JournalRequest {
  /** The HTTP method, in upper case. */
  readonly method: string
  /** Includes the query. */
  readonly path: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Cut to 65,536 bytes. */
  readonly body: string
  /** `true` if the body was longer than shown. It is empty if the client got the response before it had sent all of it. */
  readonly isCut?: boolean
}

/** The response of an exchange. */
export interface JournalAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Cut to 65,536 bytes. */
  readonly body: string
  /** `true` if the body was longer than shown. */
  readonly isCut?: boolean
}

/** An injected fault, as the journal shows it. */
export interface JournalFault {
  /** The id that `faults.add()` returned. */
  readonly id: number
  /** The HTTP status that the fault sent. */
  readonly status?: number
  /** What the fault did to the connection. */
  readonly error?: ConnectionFaultKind
  /** Whether the specification lists the status for the operation. */
  readonly inContract: boolean
}

/** The data of an exchange, filled in during the request. It is formatted as a `JournalEntry` only when it is read. */
export interface Exchange {
  readonly time: number
  duration: number
  readonly sandbox: string
  readonly operation: OperationId | undefined
  readonly petId: PetKey | undefined
  readonly resource: string
  readonly request: RequestRecord
  /** The request body; `undefined` if it was not read to its end. */
  body: Bytes | undefined
  /** The response; `undefined` if the client got none. Its body may be cut. */
  answer: WireResponse | undefined
  fault: JournalFault | undefined
  isProxied: boolean
  isStubbed: boolean
  /** Set by the journal; 0 before. */
  id: number
  /** The memory that the journal counts for it, in bytes. */
  weight: number
}

/** In bytes. Longer bodies are cut. */
export const LARGEST_JOURNAL_BODY = 65_536
/** In bytes. Smaller for events, which are sent to every stream; the journal has more of the body. */
export const LARGEST_EVENT_BODY = 4096
const decoder = new TextDecoder()

/** @param limit The maximum length of bodies, in bytes. */
export function toJournalEntry(exchange: Exchange, limit: number = LARGEST_JOURNAL_BODY): JournalEntry {
  const { id, time, duration, sandbox, operation, petId, resource, request, body, answer, fault } = exchange
  const stability = OPERATIONS.find((each) => each.id === operation)?.stability
  return {
    id,
    time: new Date(time).toISOString(),
    duration: Math.round(duration * 1000) / 1000,
    sandbox,
    ...(operation !== undefined && { operation }),
    ...(stability !== undefined && stability !== 'stable' && { stability }),
    ...(petId !== undefined && { petId: toPetId(petId) }),
    resource: hideInAddress(resource),
    request: {
      method: request.method,
      path: hideInAddress(request.path),
      headers: hideInHeaders(request.headers()),
      ...(body === undefined ? { body: '', isCut: true } : toShownBody([body], limit)),
    },
    ...(answer !== undefined && {
      answer: {
        status: answer.status,
        headers: hideInHeaders(Object.entries(answer.headers)),
        ...toShownBody(answer.body, limit),
      },
    }),
    ...(fault !== undefined && { fault }),
    ...(exchange.isProxied && { isProxied: true }),
    ...(exchange.isStubbed && { isStubbed: true }),
  }
}

function toShownBody(pieces: readonly Bytes[], limit: number): { readonly body: string; readonly isCut?: boolean } {
  const bytes = joinBytes(pieces)
  const body = decoder.decode(bytes.subarray(0, limit))
  return bytes.byteLength > limit ? { body, isCut: true } : { body }
}

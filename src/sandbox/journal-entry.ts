import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import type { Bytes } from '../http/bytes.ts'
import { hideInAddress, hideInHeaders } from '../http/hide-credentials.ts'
import type { ConnectionFaultKind } from '../http/outcome.ts'
import type { AnswererName, KeyProblem, RequestRecord } from '../http/wire-request.ts'
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
  /** What answered instead of an operation: a handler of yours, one of `stubs`, or the target of `proxy`. */
  readonly by?: 'handler' | 'stub' | 'proxy'
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
  /** `true` if the body was longer than shown. One that was too large to be read, or did not arrive, is empty. */
  readonly isCut?: boolean
}

/** The response of an exchange. */
export interface JournalAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Cut to 16,384 bytes. */
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

/** What the journal keeps of an exchange. It is formatted as a `JournalEntry` only when it is read. */
export interface JournalRecord {
  readonly time: number
  readonly duration: number
  readonly sandbox: string
  readonly operation: OperationId | undefined
  readonly petId: PetKey | undefined
  readonly resource: string
  readonly request: RequestRecord
  /** The request body, which may be cut; `undefined` if it was not read to its end. */
  readonly body: Bytes | undefined
  /** The response; `undefined` if the client got none. Its body may be cut, and that of a stream arrives later. */
  answer: WireResponse | undefined
  readonly fault: JournalFault | undefined
  readonly by: AnswererName | undefined
  readonly keyProblem: KeyProblem | undefined
  /** Set by the journal; 0 before. */
  id: number
}

/** In bytes. A longer body of a request is cut. */
export const LARGEST_JOURNAL_BODY = 65_536
/** In bytes. A longer body of a response is cut. */
export const LARGEST_ANSWER_BODY = 16_384
/** In bytes. Smaller for events, which are sent to every stream; the journal has more of the body. */
export const LARGEST_EVENT_BODY = 4096
const decoder = new TextDecoder()

/** @param limit The maximum length of bodies, in bytes. */
export function toJournalEntry(record: JournalRecord, limit: number = LARGEST_JOURNAL_BODY): JournalEntry {
  const { id, time, duration, sandbox, operation, petId, resource, request, body, answer, fault, by } = record
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
      ...(body === undefined ? { body: '', isCut: true } : toShownBody(body, limit)),
    },
    ...(answer !== undefined && {
      answer: {
        status: answer.status,
        headers: hideInHeaders(Object.entries(answer.headers)),
        ...toShownBody(answer.body, Math.min(limit, LARGEST_ANSWER_BODY)),
      },
    }),
    ...(fault !== undefined && { fault }),
    ...(by !== undefined && { by }),
  }
}

function toShownBody(bytes: Bytes, limit: number): { readonly body: string; readonly isCut?: boolean } {
  const body = decoder.decode(bytes.subarray(0, limit))
  return bytes.byteLength > limit ? { body, isCut: true } : { body }
}

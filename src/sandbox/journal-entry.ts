import { OPERATIONS } from '../contract/operations.gen.ts'
import { type Bytes, joinBytes, takePieces } from '../http/bytes.ts'
import { hideInAddress, hideInHeaders } from '../http/hide-credentials.ts'
import type { ConnectionFaultKind } from '../http/outcome.ts'
import type { RequestRecord } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { PetId, PetKey } from '../inventory/pet-id.ts'
import { toPetId } from '../inventory/pet-id.ts'
import type { FaultOperation } from './fault.ts'

/** One exchange: what was asked, and what was answered. */
export interface JournalEntry {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  /** When the request came, in ISO 8601. */
  readonly time: string
  /** From the request to its answer, in milliseconds. */
  readonly duration: number
  readonly sandbox: string
  /** The operation of the specification that the request was for; none where there is no such route. */
  readonly operation?: FaultOperation
  /** What the specification says of the operation's stability; left out for a stable one. */
  readonly stability?: 'experimental' | 'deprecated'
  /** The pet that the request names, in its path or its body. */
  readonly petId?: PetId
  readonly request: JournalRequest
  /** None where the client got no answer: it went away, or a fault took its connection. */
  readonly answer?: JournalAnswer
  /** The fault that struck. */
  readonly fault?: JournalFault
}

export interface JournalRequest {
  readonly method: string
  /** With its query; parameters named like a key or token are marked as `(hidden)`. */
  readonly path: string
  /** Names in lower case; credentials are marked as `(hidden)`. */
  readonly headers: Readonly<Record<string, string>>
  /** Cut at 65,536 bytes. Where the answer did not wait for it, that of a fault or a 401, it comes a moment later. */
  readonly body: string
  /** `true` where there is more of the body than is shown. */
  readonly isCut?: boolean
}

export interface JournalAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Cut at 65,536 bytes. */
  readonly body: string
  /** `true` where there is more of the body than is shown. */
  readonly isCut?: boolean
}

export interface JournalFault {
  readonly id: number
  readonly status?: number
  readonly error?: ConnectionFaultKind
  /** Whether the specification lists the status for the operation. */
  readonly inContract: boolean
}

/** What the service keeps of an exchange, filled on its way. The entry is written out of it when somebody reads it. */
export interface Exchange {
  readonly time: number
  duration: number
  readonly sandbox: string
  readonly operation: FaultOperation | undefined
  petId: PetKey | undefined
  readonly request: RequestRecord
  /** As far as it was read. */
  body: Bytes | undefined
  /** `undefined` where the client got none. Its body may be cut. */
  answer: WireResponse | undefined
  fault: JournalFault | undefined
  /** Given by the journal that keeps it; 0 before. */
  id: number
  /** What the journal counts for it, in bytes. */
  weight: number
}

/** In bytes; what is longer is cut. */
export const LARGEST_JOURNAL_BODY = 65_536
/** The same in events, which go to all who follow a sandbox; the whole entry is in the journal. */
const LARGEST_EVENT_BODY = 4096
const decoder = new TextDecoder()

/** An entry as an event tells it. */
export function toEventEntry(exchange: Exchange): JournalEntry {
  return toJournalEntry(exchange, LARGEST_EVENT_BODY)
}

/** @param limit Where bodies are cut, in bytes. */
export function toJournalEntry(exchange: Exchange, limit: number = LARGEST_JOURNAL_BODY): JournalEntry {
  const { id, time, duration, sandbox, operation, petId, request, body, answer, fault } = exchange
  return {
    id,
    time: new Date(time).toISOString(),
    duration: Math.round(duration * 1000) / 1000,
    sandbox,
    ...(operation !== undefined && { operation, ...toStability(operation) }),
    ...(petId !== undefined && { petId: toPetId(petId) }),
    request: {
      method: request.method,
      path: hideInAddress(request.path),
      headers: hideInHeaders(request.headers()),
      ...toShownBody(body === undefined ? [] : [body], limit),
    },
    ...(answer !== undefined && {
      answer: {
        status: answer.status,
        headers: hideInHeaders(Object.entries(answer.headers)),
        ...toShownBody(answer.body, limit),
      },
    }),
    ...(fault !== undefined && { fault }),
  }
}

function toStability(operation: FaultOperation): Pick<JournalEntry, 'stability'> {
  const { stability = 'stable' } = OPERATIONS.find(({ id }) => id === operation) ?? {}
  return stability === 'stable' ? {} : { stability }
}

function toShownBody(pieces: readonly Bytes[], limit: number): { readonly body: string; readonly isCut?: boolean } {
  const bytes = joinBytes(takePieces(pieces, limit))
  const body = decoder.decode(bytes.subarray(0, limit))
  return bytes.byteLength > limit ? { body, isCut: true } : { body }
}

import { type Bytes, takePieces } from '../http/bytes.ts'
import { assertNever, type Outcome } from '../http/outcome.ts'
import type { WireRequest } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { JournalInternals } from '../sandbox/journal.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { RequestContext } from './request-context.ts'

/** Writes into an exchange what the client got: nothing where its connection broke. */
export function recordOutcome(
  { exchange, sandbox, request }: Pick<RequestContext, 'exchange' | 'sandbox' | 'request'>,
  outcome: Outcome,
): void {
  switch (outcome.type) {
    case 'response':
      exchange.answer = cutBody(outcome)
      return
    case 'fetch-response':
      recordFetchResponse(exchange, { response: outcome.response, journal: sandbox.journal, request })
      return
    case 'connection-fault':
      if (outcome.kind === 'truncated') exchange.answer = cutBody(outcome.response)
      return
    default:
      assertNever(outcome)
  }
}

/** What is short is kept as it is, and not copied. */
function cutBody(response: WireResponse): WireResponse {
  const body = takePieces(response.body, LARGEST_JOURNAL_BODY)
  return body === response.body ? response : { ...response, body }
}

/** The body is recorded when it is there: nobody waits for it. */
function recordFetchResponse(
  exchange: Exchange,
  {
    response,
    journal,
    request,
  }: {
    response: Response
    journal: Pick<JournalInternals, 'addAnswerBody'>
    request: Pick<WireRequest, 'signal'>
  },
): void {
  exchange.answer = {
    type: 'response',
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: [],
  }
  const copy = response.clone().body
  if (copy === null) return
  void readBeginning(copy, request.signal()).then(
    (body) => journal.addAnswerBody(exchange, body),
    () => {},
  )
}

/** A stream may have no end: the rest of a long one is not waited for, nor of one whose client has gone. */
async function readBeginning(stream: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<readonly Bytes[]> {
  const pieces: Bytes[] = []
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (gone.aborted) stop()
  gone.addEventListener('abort', stop, { once: true })
  let left = LARGEST_JOURNAL_BODY
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // One byte more than is kept shows that there is more.
    pieces.push(new Uint8Array(next.value.subarray(0, left + 1)))
    left -= next.value.byteLength
    if (left >= 0) continue
    stop()
    break
  }
  return pieces
}

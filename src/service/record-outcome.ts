import { type Bytes, takePieces } from '../http/bytes.ts'
import { isAnswer, isBroken, type Outcome } from '../http/outcome.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { JournalInternals } from '../sandbox/journal.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { RequestContext } from './request-context.ts'

/** Writes into an exchange what the client got: nothing where its connection broke. */
export function recordOutcome(
  { exchange, sandbox }: Pick<RequestContext, 'exchange' | 'sandbox'>,
  reply: Outcome,
): void {
  if (isBroken(reply)) {
    if (reply.breakage === 'truncated') exchange.answer = cutBody(reply.answer)
    return
  }
  if (isAnswer(reply)) exchange.answer = cutBody(reply)
  else noteResponse(exchange, { response: reply, journal: sandbox.journal })
}

/** What is short is kept as it is, and not copied. */
function cutBody(answer: WireResponse): WireResponse {
  const body = takePieces(answer.body, LARGEST_JOURNAL_BODY)
  return body === answer.body ? answer : { status: answer.status, headers: answer.headers, body }
}

/** The body of a handler's own answer is noted when it is there: nobody waits for it. */
function noteResponse(
  exchange: Exchange,
  { response, journal }: { response: Response; journal: Pick<JournalInternals, 'addAnswerBody'> },
): void {
  if (response.type === 'error') return
  exchange.answer = { status: response.status, headers: Object.fromEntries(response.headers), body: [] }
  const copy = response.clone().body
  if (copy === null) return
  void readBeginning(copy).then(
    (body) => journal.addAnswerBody(exchange, body),
    () => {},
  )
}

/** A stream may have no end: the rest of a long one is not waited for. */
async function readBeginning(stream: ReadableStream<Uint8Array>): Promise<readonly Bytes[]> {
  const pieces: Bytes[] = []
  const reader = stream.getReader()
  let left = LARGEST_JOURNAL_BODY
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // One byte more than is kept shows that there is more.
    pieces.push(new Uint8Array(next.value.subarray(0, left + 1)))
    left -= next.value.byteLength
    if (left >= 0) continue
    reader.cancel().catch(() => {})
    break
  }
  return pieces
}

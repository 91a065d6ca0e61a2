import { type Bytes, takePieces } from '../http/bytes.ts'
import { isAnswer, isBroken, type Reply } from '../http/outcome.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'

/** Writes into an exchange what the client got: nothing where its connection broke. */
export function noteReply(exchange: Exchange, reply: Reply): void {
  if (isBroken(reply)) {
    if (reply.breakage === 'truncated') noteReply(exchange, reply.answer)
    return
  }
  if (!isAnswer(reply)) {
    noteResponse(exchange, reply)
    return
  }
  const { status, headers, body } = reply
  exchange.answer = { status, headers, body: takePieces(body, LARGEST_JOURNAL_BODY) }
}

/** The body of a handler's own answer is noted when it is there: nobody waits for it. */
function noteResponse(exchange: Exchange, response: Response): void {
  if (response.type === 'error') return
  const noted = { status: response.status, headers: Object.fromEntries(response.headers), body: [] }
  exchange.answer = noted
  const copy = response.clone().body
  if (copy === null) return
  void readBeginning(copy).then(
    (body) => Object.assign(noted, { body }),
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

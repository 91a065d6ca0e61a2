import { isAnswer, isBroken, type Reply } from './contract/broken-answer.ts'
import { takePieces } from './contract/bytes.ts'
import { BODY_TOO_LARGE, collectBody } from './contract/call.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from './control/journal-entry.ts'

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
    (body) => Object.assign(noted, { body: [body] }),
    () => {},
  )
}

/** The first bytes of a stream that may have no end; the rest is not waited for. */
async function readBeginning(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const body = await collectBody(stream, LARGEST_JOURNAL_BODY)
  return body === BODY_TOO_LARGE ? new TextEncoder().encode('(longer than the journal keeps)') : body
}

import { join, NO_BYTES } from '../http/bytes.ts'
import { type Outcome, toFetchOutcome } from '../http/outcome.ts'
import { type JournalRecord, LARGEST_ANSWER_BODY } from '../sandbox/journal-entry.ts'
import type { Exchange } from './exchange.ts'

/**
 * Adds the beginning of a stream to its record, with each piece that passes. As much as the journal keeps is read ahead,
 * because many clients never read a body. The stream holds the exchange, and so its request, until it ends.
 */
export function noteBody(
  outcome: Outcome,
  { exchange, recorded }: { readonly exchange: Exchange; readonly recorded: JournalRecord },
): Outcome {
  if (outcome.type !== 'fetch-response' || outcome.response.body === null) return outcome
  let noted = NO_BYTES
  const note = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(piece, stream) {
        stream.enqueue(piece)
        // A server also sends the text of a handler's stream, which fetch refuses.
        if (noted.length > LARGEST_ANSWER_BODY || !ArrayBuffer.isView(piece)) return
        noted = join([noted, piece.subarray(0, LARGEST_ANSWER_BODY + 1 - noted.length)])
        exchange.sandbox.journal.addAnswerBody(recorded, noted)
      },
    },
    undefined,
    { highWaterMark: LARGEST_ANSWER_BODY, size: ({ byteLength = 1 }) => byteLength },
  )
  return toFetchOutcome(new Response(outcome.response.body.pipeThrough(note), outcome.response))
}

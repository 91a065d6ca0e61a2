import type { ServerResponse } from 'node:http'
import { type BrokenAnswer, toBeginning } from '../../http/outcome.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'

/** Does to the connection what a fault asks for. A client that waits for ever is let go when the server closes. */
export function breakConnection(
  broken: BrokenAnswer,
  { response, closing }: { response: ServerResponse; closing: AbortSignal },
): void {
  const { socket } = response
  if (broken.breakage === 'network') socket?.destroy()
  if (broken.breakage === 'reset') socket?.resetAndDestroy()
  if (broken.breakage === 'timeout') {
    const ends = AbortSignal.any([broken.released, closing])
    if (ends.aborted) socket?.destroy()
    ends.addEventListener('abort', () => response.socket?.destroy(), { once: true })
  }
  if (broken.breakage === 'truncated') {
    const { status, headers } = broken.answer
    response.writeHead(status, REASON_PHRASES[status] ?? '', headers)
    // What was written is on its way before the connection closes.
    response.write(toBeginning(broken.answer), () => response.socket?.destroySoon())
  }
}

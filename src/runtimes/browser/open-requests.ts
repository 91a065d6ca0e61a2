import { waitForAbort } from '../../http/fetch-result.ts'
import type { Target } from '../shared/target.ts'

/** The requests that the mock has not answered yet, and its event streams. */
export interface OpenRequests {
  /** The service's `fetch`. It rejects when the client gives up, also while a user's handler still runs. */
  readonly fetch: Target['fetch']
  /** Resolves when the requests that are open now are over. */
  settle(): Promise<unknown>
  /** Ends all event streams, like a restarting server. Clients reconnect. */
  endStreams(): void
  /** Resolves when nothing is open. Requests that take longer than a second fail, because some would stay for ever. */
  end(): Promise<void>
}

/** @param findAbort The signal of the client, where the request does not carry it. */
export function createOpenRequests(
  fetch: Target['fetch'],
  findAbort: (request: Request) => AbortSignal | undefined = () => undefined,
): OpenRequests {
  const open = new Set<Promise<Response>>()
  const streams = new Set<TransformStreamDefaultController>()
  const cut = new AbortController()

  function toEndable(response: Response): Response {
    if (response.body === null || response.headers.get('content-type') !== 'text/event-stream') return response
    let end: TransformStreamDefaultController | undefined
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      start(controller) {
        end = controller
        streams.add(controller)
      },
    })
    const forget = (): unknown => end && streams.delete(end)
    response.body.pipeTo(writable).then(forget, forget)
    return new Response(readable, response)
  }

  function endStreams(): void {
    for (const stream of streams) stream.terminate()
  }

  return {
    async fetch(request) {
      const known = [cut.signal, request.signal, findAbort(request)]
      const signal = AbortSignal.any(known.filter((each) => each !== undefined))
      const answer = Promise.race([waitForAbort(signal).then(rejectAborted), fetch(new Request(request, { signal }))])
      open.add(answer)
      return toEndable(await answer.finally(() => open.delete(answer)))
    },
    settle: () => Promise.allSettled(open),
    endStreams,
    async end() {
      const grace = waitForAbort(AbortSignal.timeout(1000)).then(() => cut.abort())
      while (open.size > 0 && !cut.signal.aborted) await Promise.race([grace, Promise.allSettled(open)])
      endStreams()
    },
  }
}

const rejectAborted = (): Promise<never> => Promise.reject(new DOMException('The request was given up.', 'AbortError'))

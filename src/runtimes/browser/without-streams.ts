import type { AnsweringService } from '../../msw/service-handlers.ts'

type Fetch = AnsweringService['fetch']

/** How long a chunk waits for an event, in milliseconds: less than a client waits for a response. */
const LONGEST_MS = 5000
/** How soon an EventSource requests the next chunk. */
const RETRY = 'retry: 100\n'

/**
 * WebKit cannot transfer a stream to a worker (https://bugs.webkit.org/show_bug.cgi?id=215485). There, msw waits for the
 * end of a body, and for ever if the body fails or never ends. In such browsers, this buffers bodies, turns a response with
 * a failing body into a network error, and sends events in chunks.
 */
export function withoutStreams(fetch: Fetch): Fetch {
  if (canTransferStreams()) return fetch
  const begun = new Set<string>()
  return async (request) => {
    const response = await fetch(request)
    if (response.body === null) return response
    if (response.headers.get('content-type') !== 'text/event-stream') return readWhole(response)
    const patience = begun.has(request.url) ? LONGEST_MS : 0
    begun.add(request.url)
    return new Response(await readPortion(response.body, patience), response)
  }
}

/** The same detection as in msw. */
function canTransferStreams(): boolean {
  const { port1, port2 } = new MessageChannel()
  try {
    const stream = new ReadableStream()
    port1.postMessage(stream, [stream])
    return true
  } catch {
    return false
  } finally {
    port1.close()
    port2.close()
  }
}

async function readWhole(response: Response): Promise<Response> {
  try {
    return new Response(await response.arrayBuffer(), response)
  } catch {
    return Response.error()
  }
}

/**
 * A chunk: the beginning of an event stream, plus the next event if it arrives in time. The client then reconnects for the
 * next chunk, which starts with `state`, so that it learns of changes in between.
 */
async function readPortion(body: ReadableStream<Uint8Array<ArrayBuffer>>, patience: number): Promise<Blob> {
  const reader = body.getReader()
  const first = await reader.read()
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  const next = await Promise.race([reader.read(), timeout])
  reader.cancel().catch(() => {})
  return new Blob([RETRY, ...[first.value, next?.value].filter((piece) => piece !== undefined)])
}

import type { AnsweringService } from '../../msw/service-handlers.ts'

type Fetch = AnsweringService['fetch']

/** How long a portion of events waits for something to tell, in milliseconds: less than a client waits for a response. */
const LONGEST_MS = 5000
/** How soon an EventSource comes for the next portion. */
const RETRY = 'retry: 100\n'

/**
 * Not every browser can hand a stream to its worker: WebKit cannot (https://bugs.webkit.org/show_bug.cgi?id=215485).
 * There msw waits for the end of a body, and for ever where the body fails or has no end. So in such a browser a body
 * is read here, a response whose body fails is a network error, and events come in portions.
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

/** As msw finds it out. */
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
 * The beginning of a stream of events, and the next event where that comes in time. The client comes again for the next
 * portion, as it does when a connection breaks; each begins with a `state`, so that nothing is missed between two.
 */
async function readPortion(body: ReadableStream<Uint8Array<ArrayBuffer>>, patience: number): Promise<Blob> {
  const reader = body.getReader()
  const first = await reader.read()
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  const next = await Promise.race([reader.read(), timeout])
  reader.cancel().catch(() => {})
  return new Blob([RETRY, ...[first.value, next?.value].filter((piece) => piece !== undefined)])
}

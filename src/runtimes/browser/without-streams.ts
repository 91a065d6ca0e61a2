type Fetch = (request: Request) => Promise<Response>

/** How long a chunk waits for an event, in milliseconds: less than a client waits for a response. */
const LONGEST_MS = 5000
/** How soon an EventSource requests the next chunk; and an id, which it repeats then, in `Last-Event-ID`. */
const RETRY = 'retry: 100\nid: chunk\n'

/**
 * WebKit cannot transfer a stream to a worker (https://bugs.webkit.org/show_bug.cgi?id=215485). There, msw waits for the
 * end of a body, and for ever if the body fails or never ends. In such browsers, this buffers bodies, turns a response with
 * a failing body into a network error, and sends events in chunks.
 */
export function withoutStreams(fetch: Fetch): Fetch {
  if (canTransferStreams()) return fetch
  return async (request) => {
    const response = await fetch(request)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const body = isStream
      ? readPortion(response.body, request.headers.has('last-event-id'))
      : new Response(response.body).arrayBuffer()
    return body.then(
      (whole) => new Response(whole, response),
      () => Response.error(),
    )
  }
}

function canTransferStreams(): boolean {
  try {
    const stream = new ReadableStream()
    new MessageChannel().port1.postMessage(stream, [stream])
    return true
  } catch {
    return false
  }
}

/**
 * A chunk: the beginning of an event stream and, from the second chunk on, the next event if it arrives in time. The client
 * then reconnects for the next chunk, which starts with `state`, so that it learns of changes in between.
 */
async function readPortion(body: ReadableStream<Uint8Array<ArrayBuffer>>, isNext: boolean): Promise<Blob> {
  const reader = body.getReader()
  const first = await reader.read()
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_MS))
  const next = isNext ? await Promise.race([reader.read(), timeout]) : undefined
  reader.cancel().catch(() => {})
  return new Blob([RETRY, ...[first.value, next?.value].filter((piece) => piece !== undefined)])
}

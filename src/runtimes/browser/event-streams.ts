import type { AnsweringService } from '../../msw/service-handlers.ts'

/** The event streams from the mock in the page through the worker back to the page. */
interface EventStreams {
  /** The service's `fetch`, with streams that `end` can end. */
  readonly fetch: AnsweringService['fetch']
  /** Ends all open streams, like a restarting server. Clients reconnect. */
  end(): void
}

export function createEventStreams(fetch: AnsweringService['fetch']): EventStreams {
  const open = new Set<() => void>()
  return {
    async fetch(request) {
      const response = await fetch(request)
      const isStream = response.headers.get('content-type') === 'text/event-stream'
      return isStream && response.body !== null ? toEndable(response, { body: response.body, open }) : response
    },
    end() {
      for (const end of [...open]) end()
    },
  }
}

/**
 * Ends the streams when a newer worker is ready. The newer worker takes over once the current one is idle, which an open
 * stream delays: in Chromium for five minutes, during which no other tab can start.
 */
export function endBeforeNewer(
  registration: ServiceWorkerRegistration,
  { end }: Pick<EventStreams, 'end'>,
): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const follow = (): void => {
    const newer = registration.installing
    newer?.addEventListener('statechange', () => newer.state === 'installed' && end(), { signal })
  }
  registration.addEventListener('updatefound', follow, { signal })
  return () => stopped.abort()
}

function toEndable(
  { status, statusText, headers }: Response,
  { body, open }: { body: ReadableStream<Uint8Array>; open: Set<() => void> },
): Response {
  const reader = body.getReader()
  let end = (): void => {}
  const endable = new ReadableStream<Uint8Array>({
    start(stream) {
      end = () => {
        open.delete(end)
        stream.close()
        reader.cancel().catch(() => {})
      }
      open.add(end)
    },
    async pull(stream) {
      const { done, value } = await reader.read()
      if (!open.has(end)) return
      if (done) end()
      else stream.enqueue(value)
    },
    cancel(reason) {
      open.delete(end)
      return reader.cancel(reason)
    },
  })
  return new Response(endable, { status, statusText, headers })
}

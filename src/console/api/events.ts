import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** A connection without a sign of the mock for this long is dead. The mock sends a heartbeat every 15 seconds. */
const LONGEST_SILENCE_MS = 40_000
/** The delays before each retry; the last one is repeated. */
const PAUSES_MS = [200, 500, 1000, 2000, 3000]

interface Following {
  /** Opens the stream, behind the event with this id; `signal` ends it. */
  open(signal: AbortSignal, lastEventId: string | undefined): Promise<Response>
  /** A stream started, so everything loaded before may be out of date. If it cannot be loaded, the stream is reopened. */
  onOpen(): Promise<void>
  onEvent(event: EventSourceMessage): unknown
  /** The mock requires a control token. Nothing is retried. */
  onLocked(): void
  /** Connecting failed again. Retries follow. */
  onLost(): void
  /** Stops following. */
  readonly signal: AbortSignal
}

/** Follows the events of the mock, and reconnects whenever the connection breaks. */
export async function followEvents(following: Following): Promise<void> {
  const { open, onOpen, onEvent, onLocked, onLost, signal } = following
  let failures = 0
  let lastEventId: string | undefined
  while (!signal.aborted) {
    const attempt = new AbortController()
    const end = (): void => attempt.abort()
    let timer = setTimeout(end, LONGEST_SILENCE_MS)
    const onSign = (): void => {
      clearTimeout(timer)
      timer = setTimeout(end, LONGEST_SILENCE_MS)
    }
    try {
      const response = await open(attempt.signal, lastEventId)
      if (response.status === 401) return onLocked()
      // A stopped mock is a 502 behind a proxy, and a 404 on a static file server.
      if (!response.ok || response.body === null) throw new Error(`The stream of events is a ${response.status}`)
      const reopen = () => setTimeout(end, 1000)
      onOpen().catch(reopen)
      failures = 0
      for await (const event of readEvents(response.body, onSign)) {
        onSign()
        if (signal.aborted) return
        lastEventId = event.id ?? lastEventId
        Promise.resolve(onEvent(event)).catch(reopen)
      }
    } catch {
      // A broken stream is reopened at once. The connection counts as lost only if that fails.
      if (!signal.aborted && failures > 0) onLost()
    } finally {
      clearTimeout(timer)
      end()
    }
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]
    await new Promise((resolve) => setTimeout(resolve, pause))
    failures += 1
  }
}

/** Reads a stream of server-sent events. A heartbeat is a comment. WebKit cannot iterate over a stream. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onComment = (): void => {},
): AsyncGenerator<EventSourceMessage> {
  const reader = stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment }))
    .getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}

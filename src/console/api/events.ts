import { createParser } from 'eventsource-parser'

/** The mock sends a heartbeat every 15 seconds. A connection that is silent for longer than this is dead. */
const LONGEST_SILENCE_MS = 40_000
/** How long the mock may take to start its response. */
const PATIENCE_MS = 10_000
/** The delays before each retry; the last one is repeated. */
const PAUSES_MS = [200, 500, 1000, 2000, 3000]

interface Following {
  /** Opens the stream, behind the event with this id; `signal` ends it. */
  open(signal: AbortSignal, lastEventId: string | undefined): Promise<Response>
  /** A stream started, so everything loaded before may be out of date. */
  onOpen(): void
  onEvents(events: readonly ServerEvent[]): void
  /** Connecting failed. Retries follow. */
  onLost(): void
  /** The mock responded without a stream. Retries follow. */
  onRefused(status: number): void
  /** The mock requires a control token, or rejected it. No retry follows. */
  onLocked(): void
  /** Stops following. */
  readonly signal: AbortSignal
}

/** Follows the events of the mock, and reconnects whenever the connection breaks. */
export async function followEvents(following: Following): Promise<void> {
  const { open, onOpen, onEvents, onLost, onRefused, onLocked, signal } = following
  let failures = 0
  let lastEventId: string | undefined
  while (!signal.aborted) {
    const attempt = new AbortController()
    const watch = createWatch(() => attempt.abort())
    watch.expectWithin(PATIENCE_MS)
    try {
      const response = await open(attempt.signal, lastEventId)
      if (response.status === 401) return onLocked()
      // A stopped mock is a 502 behind a proxy, and a 404 on a static file server.
      if (response.status === 404 || response.status >= 500)
        throw new Error(`The stream of events is a ${response.status}`)
      if (!response.ok || response.body === null) onRefused(response.status)
      else {
        onOpen()
        failures = 0
        watch.expectWithin(LONGEST_SILENCE_MS)
        for await (const events of readEvents(response.body)) {
          watch.expectWithin(LONGEST_SILENCE_MS)
          if (signal.aborted) return
          lastEventId = events.findLast(({ id }) => id !== undefined)?.id ?? lastEventId
          onEvents(events)
        }
      }
    } catch {
      // A broken stream is reopened at once. The connection counts as lost only if that fails.
      if (!signal.aborted && failures > 0) onLost()
    } finally {
      watch.stop()
      attempt.abort()
    }
    await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0, signal)
    failures += 1
  }
}

function createWatch(bark: () => void): { expectWithin(ms: number): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    expectWithin(ms) {
      clearTimeout(timer)
      timer = setTimeout(bark, ms)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Resolves early when the page becomes visible, because browsers throttle the timers of hidden pages. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = (): void => {
      over.abort()
      resolve()
    }
    setTimeout(end, ms)
    document.addEventListener('visibilitychange', end, { signal: over.signal })
    signal.addEventListener('abort', end, { signal: over.signal })
  })
}

/** A server-sent event: its name, its data as text, and its id, if it has one. */
export interface ServerEvent {
  readonly id?: string | undefined
  readonly type: string
  readonly data: string
}

/**
 * Reads a stream of server-sent events and yields the events of each chunk as a list. A chunk without events, such as a
 * heartbeat, yields an empty list.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  let events: ServerEvent[] = []
  const parser = createParser({ onEvent: ({ event = 'message', data, id }) => events.push({ type: event, data, id }) })
  for await (const piece of toPieces(stream)) {
    parser.feed(decoder.decode(piece, { stream: true }))
    yield events
    events = []
  }
}

/** WebKit cannot iterate over a stream. */
async function* toPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}

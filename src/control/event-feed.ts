import type { Budget } from '../http/bytes.ts'
import { clearInterval, setInterval, setTimeout } from '../http/globals.ts'
import type { Listeners, SandboxEvent } from '../sandbox/events.ts'

/** The heartbeat interval in milliseconds. Proxies close streams that are silent for a minute. */
const HEARTBEAT_MS = 15_000
/** In bytes. A client with a larger backlog of unread events is disconnected. */
export const LARGEST_BACKLOG: number = 1024 ** 2
/** In characters. Events of one event loop turn are sent together, up to this length. */
const LARGEST_BATCH = 65_536

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(':\n\n')
const LAGGED = encoder.encode(
  `event: lagged\ndata: ${JSON.stringify({
    message: `This client fell more than ${LARGEST_BACKLOG} bytes behind and was disconnected. Reconnect and reload everything.`,
  })}\n\n`,
)

/** The events that are written to a stream. */
export type StreamEvent = Exclude<SandboxEvent, { type: 'end' }>

interface FeedOptions {
  readonly events: Listeners<SandboxEvent>
  /** Serializes an event. */
  readonly write: (event: StreamEvent) => string
  /** The number of open streams. */
  readonly streams: Budget
}

/** Opens one client's stream of future events, with backpressure. Returns `undefined` when too many streams are open. */
export function openEventFeed({ events, write, streams }: FeedOptions): ReadableStream<Uint8Array> | undefined {
  if (!streams.take(1)) return undefined
  /** The events of this event loop turn. */
  let batch = ''
  let isFlushPlanned = false
  /** A `faults` event lists all faults, so one at the end of a batch replaces all others in it. */
  let haveFaultsChanged = false
  let backlog: Uint8Array[] = []
  let bytes = 0
  let isOver = false
  let wake = (): void => {}

  function take(event: SandboxEvent): void {
    if (event.type === 'end') {
      flush()
      end()
      return
    }
    if (event.type === 'faults') haveFaultsChanged = true
    else batch += write(event)
    if (batch.length > LARGEST_BATCH) flush()
    else if (!isFlushPlanned) {
      isFlushPlanned = true
      setTimeout(flush, 0)
    }
  }

  function flush(): void {
    isFlushPlanned = false
    if (haveFaultsChanged) batch += write({ type: 'faults' })
    haveFaultsChanged = false
    if (batch !== '') push(encoder.encode(batch))
    batch = ''
  }

  function push(piece: Uint8Array): void {
    backlog.push(piece)
    bytes += piece.byteLength
    if (bytes > LARGEST_BACKLOG) {
      backlog = [LAGGED]
      end()
    }
    wake()
  }

  /** Closes the stream after the backlog is sent. */
  function end(): void {
    if (isOver) return
    isOver = true
    unsubscribe()
    clearInterval(heartbeat)
    streams.give(1)
    wake()
  }

  const unsubscribe = events.subscribe(take)
  const heartbeat = setInterval(() => push(HEARTBEAT), HEARTBEAT_MS)
  // Every stream begins with a `state` event, because a reconnecting client may have outdated data.
  push(encoder.encode(write({ type: 'state' })))
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      if (backlog.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const next = backlog.shift()
      if (next === undefined) return controller.close()
      bytes -= next.byteLength
      controller.enqueue(next)
    },
    cancel: end,
  }
  // No buffering in the stream: the backlog is counted.
  return new ReadableStream(source, { highWaterMark: 0 })
}

import { clearInterval, setInterval, setTimeout } from '../http/globals.ts'
import { MOST_STREAMS, type SandboxEvent, type SandboxEvents } from '../sandbox/events.ts'

/** The heartbeat interval in milliseconds. Proxies close streams that are silent for a minute. */
const HEARTBEAT_MS = 15_000
/** In characters. A client with more unread events is disconnected. */
export const LARGEST_BACKLOG: number = 1024 ** 2

const encoder = new TextEncoder()
const LAGGED = `event: lagged\ndata: ${JSON.stringify({
  message: `This client fell more than ${LARGEST_BACKLOG} characters behind and was disconnected. Reconnect and reload everything.`,
})}\n\n`

/** The events that are written to a stream. */
export type StreamEvent = Exclude<SandboxEvent, { type: 'end' }>

interface FeedOptions {
  readonly events: SandboxEvents
  /** Serializes an event. */
  readonly write: (event: StreamEvent) => string
  /** The open streams. */
  readonly streams: Set<object>
}

/** Opens one client's stream of future events, with backpressure. Returns `undefined` when too many streams are open. */
export function openEventFeed({ events, write, streams }: FeedOptions): ReadableStream<Uint8Array> | undefined {
  if (streams.size === MOST_STREAMS) return undefined
  // `unread` is the queue. `pull` sends all of it, or waits for `wake`; after `end` it sends the rest and closes the stream.
  // Every stream begins with a `state` event, because a reconnecting client may have outdated data.
  let unread = write({ type: 'state' })
  /** A `faults` event lists all faults, so one at the end replaces all others. */
  let haveFaultsChanged = false
  let isOver = false
  let wake = (): void => {}
  const hasNews = (): boolean => unread !== '' || haveFaultsChanged || isOver

  function add(text: string): void {
    unread += text
    if (unread.length > LARGEST_BACKLOG) {
      unread = LAGGED
      haveFaultsChanged = false
      end()
    }
    wake()
  }

  /** Closes the stream after the unread events are sent. */
  function end(): void {
    if (isOver) return
    isOver = true
    unsubscribe()
    clearInterval(heartbeat)
    streams.delete(source)
    wake()
  }

  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'end') return end()
    if (event.type !== 'faults') return add(write(event))
    haveFaultsChanged = true
    wake()
  })
  const heartbeat = setInterval(() => add(':\n\n'), HEARTBEAT_MS)
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      if (!hasNews()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        // The events of one event loop turn are sent together.
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      if (haveFaultsChanged) unread += write({ type: 'faults' })
      haveFaultsChanged = false
      if (unread === '') return controller.close()
      controller.enqueue(encoder.encode(unread))
      unread = ''
    },
    cancel: end,
  }
  streams.add(source)
  // No buffering in the stream: what is unread is counted.
  return new ReadableStream(source, { highWaterMark: 0 })
}

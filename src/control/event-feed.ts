import type { Budget } from '../http/bytes.ts'
import { clearInterval, setInterval, setTimeout } from '../http/globals.ts'
import type { SandboxEvent, SandboxEvents } from '../sandbox/events.ts'

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

/**
 * Opens a stream of future events. Returns `undefined` when too many streams are open.
 * @param write Serializes an event.
 */
export function openEventFeed({ streams, ...options }: FeedOptions & { readonly streams: Budget }): Stream | undefined {
  return streams.take(1) ? new EventFeed({ ...options, onEnd: () => streams.give(1) }).stream : undefined
}

type Stream = ReadableStream<Uint8Array>

interface FeedOptions {
  readonly events: SandboxEvents
  readonly write: (event: StreamEvent) => string
}

/** One client's stream, with backpressure and a limited backlog. */
class EventFeed {
  readonly stream: Stream
  readonly #write: FeedOptions['write']
  readonly #stop: () => void
  /** The events of this event loop turn. */
  #batch = ''
  #isFlushPlanned = false
  /** A `faults` event lists all faults, so one at the end of a batch replaces all others in it. */
  #haveFaultsChanged = false
  #backlog: Uint8Array[] = []
  #bytes = 0
  #isOver = false
  #wake = (): void => {}

  constructor({ events, write, onEnd }: FeedOptions & { readonly onEnd: () => void }) {
    this.#write = write
    const unsubscribe = events.subscribe((event) => this.#take(event))
    const heartbeat = setInterval(() => this.#push(HEARTBEAT), HEARTBEAT_MS)
    this.#stop = () => {
      unsubscribe()
      clearInterval(heartbeat)
      onEnd()
    }
    this.stream = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#end() },
      // No buffering in the stream: the backlog is counted.
      { highWaterMark: 0 },
    )
    // Every stream begins with a `state` event, because a reconnecting client may have outdated data.
    this.#push(encoder.encode(write({ type: 'state' })))
  }

  #take(event: SandboxEvent): void {
    if (event.type === 'end') {
      this.#flush()
      this.#end()
      return
    }
    if (event.type === 'faults') this.#haveFaultsChanged = true
    else this.#batch += this.#write(event)
    if (this.#batch.length > LARGEST_BATCH) this.#flush()
    else if (!this.#isFlushPlanned) this.#planFlush()
  }

  #planFlush(): void {
    this.#isFlushPlanned = true
    setTimeout(() => {
      this.#isFlushPlanned = false
      this.#flush()
    }, 0)
  }

  #flush(): void {
    if (this.#haveFaultsChanged) this.#batch += this.#write({ type: 'faults' })
    this.#haveFaultsChanged = false
    const bytes = encoder.encode(this.#batch)
    this.#batch = ''
    if (bytes.byteLength > 0) this.#push(bytes)
  }

  #push(bytes: Uint8Array): void {
    this.#backlog.push(bytes)
    this.#bytes += bytes.byteLength
    if (this.#bytes > LARGEST_BACKLOG) {
      this.#backlog = [LAGGED]
      this.#end()
    }
    this.#wake()
  }

  /** Closes the stream after the backlog is sent. */
  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop()
    this.#wake()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#backlog.length === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    const next = this.#backlog.shift()
    if (next === undefined) return controller.close()
    this.#bytes -= next.byteLength
    controller.enqueue(next)
  }
}

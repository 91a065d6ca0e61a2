import type { SandboxEvent, SandboxEvents } from './events.ts'

// Captured at load, so that a test runner's fake timers do not stop the mock.
const { setTimeout, setInterval, clearInterval } = globalThis

/** The heartbeat interval in milliseconds. Proxies close streams that are silent for a minute. */
const HEARTBEAT_MS = 15_000
/** In bytes. A client with a larger backlog of unread events is disconnected. */
export const LARGEST_BACKLOG: number = 1024 ** 2
/** The maximum number of open event streams of a mock. With the backlog limit, they hold at most 64 MB. */
export const MOST_STREAMS = 64
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

/** The server-sent event streams of a mock. */
export class EventFeeds {
  readonly #feeds = new Map<SandboxEvents, EventFeed>()

  /**
   * Opens a stream of future events. Returns `undefined` when too many streams are open.
   * @param write Serializes an event. Called once per event, regardless of the number of streams.
   */
  open(events: SandboxEvents, write: (event: StreamEvent) => string): ReadableStream<Uint8Array> | undefined {
    const streams = this.#feeds.values().reduce((sum, { size }) => sum + size, 0)
    if (streams >= MOST_STREAMS) return undefined
    const feed = this.#feeds.get(events) ?? new EventFeed({ events, write, onEmpty: () => this.#feeds.delete(events) })
    this.#feeds.set(events, feed)
    return feed.open()
  }
}

interface FeedOptions {
  readonly events: SandboxEvents
  readonly write: (event: StreamEvent) => string
  readonly onEmpty: () => void
}

/** Serializes each event of a sandbox once and sends the same bytes to all its streams. */
class EventFeed {
  readonly #options: FeedOptions
  readonly #subscribers = new Set<Subscriber>()
  readonly #stop: () => void
  #batch = ''
  #isFlushPlanned = false
  /** A `faults` event lists all faults, so one at the end of a batch replaces all others in it. */
  #haveFaultsChanged = false

  constructor(options: FeedOptions) {
    this.#options = options
    const unsubscribe = options.events.subscribe((event) => this.#take(event))
    const heartbeat = setInterval(() => this.#send(HEARTBEAT), HEARTBEAT_MS)
    this.#stop = () => {
      unsubscribe()
      clearInterval(heartbeat)
    }
  }

  get size(): number {
    return this.#subscribers.size
  }

  /** Every stream begins with a `state` event, because a reconnecting client may have outdated data. */
  open(): ReadableStream<Uint8Array> {
    this.#flush()
    const subscriber = new Subscriber(() => this.#drop(subscriber))
    this.#subscribers.add(subscriber)
    subscriber.push(encoder.encode(this.#options.write({ type: 'state' })))
    return subscriber.stream
  }

  #take(event: SandboxEvent): void {
    if (event.type === 'end') {
      this.#flush()
      for (const subscriber of this.#subscribers) subscriber.end()
      return
    }
    if (event.type === 'faults') this.#haveFaultsChanged = true
    else this.#batch += this.#options.write(event)
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
    if (this.#haveFaultsChanged) this.#batch += this.#options.write({ type: 'faults' })
    this.#haveFaultsChanged = false
    if (this.#batch === '') return
    const bytes = encoder.encode(this.#batch)
    this.#batch = ''
    this.#send(bytes)
  }

  #send(bytes: Uint8Array): void {
    for (const subscriber of this.#subscribers) subscriber.push(bytes)
  }

  #drop(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
    if (this.#subscribers.size > 0) return
    this.#stop()
    this.#options.onEmpty()
  }
}

/** One client's stream, with backpressure and a limited backlog. */
class Subscriber {
  readonly stream: ReadableStream<Uint8Array>
  readonly #onOver: () => void
  #waiting: Uint8Array[] = []
  #bytes = 0
  #isOver = false
  #wake = (): void => {}

  constructor(onOver: () => void) {
    this.#onOver = onOver
    this.stream = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.end() },
      // No buffering in the stream: the backlog is counted in `#waiting`.
      { highWaterMark: 0 },
    )
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#bytes += bytes.byteLength
    if (this.#bytes > LARGEST_BACKLOG) {
      this.#waiting = [LAGGED]
      this.#bytes = LAGGED.byteLength
      this.end()
    }
    this.#wake()
  }

  /** Closes the stream after the backlog is sent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
    this.#wake()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    const next = this.#waiting.shift()
    if (next === undefined) return controller.close()
    this.#bytes -= next.byteLength
    controller.enqueue(next)
  }
}

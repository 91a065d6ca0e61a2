import type { SandboxEvent, SandboxEvents } from './events.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, setInterval, clearInterval } = globalThis

/** How often a silent stream says that it lives, in milliseconds: proxies close those that say nothing for a minute. */
const HEARTBEAT_MS = 15_000
/** What waits for one client that does not read, in bytes. A client that lags behind by more is cut off. */
export const LARGEST_BACKLOG: number = 1024 ** 2
/** How many streams of events one mock has open: together with the backlog a bound of 64 MB. */
export const MOST_STREAMS = 64
/** In characters. Events of one turn of the event loop are sent together, up to this length. */
const LARGEST_BATCH = 65_536

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(':\n\n')
const LAGGED = encoder.encode(
  `event: lagged\ndata: ${JSON.stringify({
    message: `This client lagged behind by more than ${LARGEST_BACKLOG} bytes and is cut off. Connect again, and ask for everything anew.`,
  })}\n\n`,
)

/** What can be told of a sandbox. */
export type ToldEvent = Exclude<SandboxEvent, { type: 'end' }>

/** The streams of server-sent events of one mock. */
export interface EventFeeds {
  /**
   * A stream of what happens from now on; `undefined` where too many are open.
   * @param write Gives an event as the stream has it. It is asked once for each event, however many streams there are.
   */
  open(events: SandboxEvents, write: (event: ToldEvent) => string): ReadableStream<Uint8Array> | undefined
}

export function createEventFeeds(): EventFeeds {
  const feeds = new Map<SandboxEvents, EventFeed>()
  return {
    open(events, write) {
      let streams = 0
      for (const { size } of feeds.values()) streams += size
      if (streams >= MOST_STREAMS) return undefined
      const feed = feeds.get(events) ?? new EventFeed({ events, write, onEmpty: () => feeds.delete(events) })
      feeds.set(events, feed)
      return feed.open()
    },
  }
}

interface FeedOptions {
  readonly events: SandboxEvents
  readonly write: (event: ToldEvent) => string
  readonly onEmpty: () => void
}

/** Writes the events of one sandbox once, and gives the same bytes to all who follow it. */
class EventFeed {
  readonly #options: FeedOptions
  readonly #followers = new Set<Follower>()
  readonly #stop: () => void
  #batch = ''
  #isFlushPlanned = false
  /** An event lists all faults, so of several changes in one batch only the last is written. */
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
    return this.#followers.size
  }

  /** The first event of every stream is a `state`: what its client knew before may be old. */
  open(): ReadableStream<Uint8Array> {
    this.#flush()
    const follower = new Follower(() => this.#drop(follower))
    this.#followers.add(follower)
    follower.push(encoder.encode(this.#options.write({ type: 'state' })))
    return follower.stream
  }

  #take(event: SandboxEvent): void {
    if (event.type === 'end') {
      this.#end()
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
    for (const follower of this.#followers) follower.push(bytes)
  }

  #end(): void {
    this.#flush()
    for (const follower of this.#followers) follower.end()
  }

  #drop(follower: Follower): void {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return
    this.#stop()
    this.#options.onEmpty()
  }
}

/** One client's stream, which gives what is asked for and keeps little of what is not. */
class Follower {
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
      // The bytes wait here, where they are counted, and not in the stream.
      { highWaterMark: 0 },
    )
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#bytes += bytes.byteLength
    if (this.#bytes > LARGEST_BACKLOG) this.#cutOff()
    this.#wake()
  }

  /** What waits is still given. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
    this.#wake()
  }

  #cutOff(): void {
    this.#waiting = [LAGGED]
    this.#bytes = LAGGED.byteLength
    this.end()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isOver) await this.#wait()
    const next = this.#waiting.shift()
    if (next === undefined) return controller.close()
    this.#bytes -= next.byteLength
    controller.enqueue(next)
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

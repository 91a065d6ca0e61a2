import { createParser } from 'eventsource-parser'

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

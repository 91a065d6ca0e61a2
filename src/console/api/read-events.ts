/** A server-sent event: its name, and its data as text. */
export interface ServerEvent {
  readonly type: string
  readonly data: string
}

/**
 * Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream)
 * as they come, those of one piece of the stream together. A piece without any, as a heartbeat, gives an empty list.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of toPieces(stream)) {
    const text = rest + decoder.decode(piece, { stream: true })
    // A line may end in CR LF, and the stream's piece between the two.
    const blocks = text.replaceAll(/\r\n|\r(?!$)/g, '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    yield blocks.map(toEvent).filter((event) => event.data !== '')
  }
}

/** Not every browser can iterate over a stream. */
async function* toPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}

function toEvent(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [])
  const valuesOf = (name: string): string[] =>
    fields.filter(([, field]) => field === name).map(([, , value = '']) => value)
  return { type: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
}

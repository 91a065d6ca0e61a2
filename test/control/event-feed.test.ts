import { describe, expect, test } from 'vitest'
import { LARGEST_BACKLOG, openEventFeed, type StreamEvent } from '../../src/control/event-feed.ts'
import { Listeners, type SandboxEvent } from '../../src/sandbox/events.ts'

const REMOVED: SandboxEvent = { type: 'pet-removed', petId: '1' }

describe('a stream of events', () => {
  test('begins with the state, and has only what happens afterwards', async () => {
    const { events, open } = start(({ type }) => `${type} `)
    const first = open()
    events.emit({ type: 'delay' })
    const second = open()
    events.emit(REMOVED)
    expect([await readText(first, 1), await readText(second, 1)]).toEqual([
      ['state delay pet-removed '],
      ['state pet-removed '],
    ])
  })

  test('sends the events of one turn together, the faults once and last', async () => {
    const { events, open } = start(({ type }) => `${type} `)
    const stream = open()
    await readText(stream, 1)
    const next = readText(stream, 1)
    await nextTask()
    for (const type of ['faults', 'delay', 'faults', 'journal-cleared'] as const) events.emit({ type })
    expect(await next).toEqual(['delay journal-cleared faults '])
    events.emit({ type: 'delay' })
    expect(await readText(stream, 1)).toEqual(['delay '])
    events.emit({ type: 'faults' })
    expect(await readText(stream, 1)).toEqual(['faults '])
  })

  test('wakes a reader that waits, and ends when its sandbox is removed', async () => {
    const { events, open } = start(({ type }) => `${type} `)
    const reader = open().getReader()
    await reader.read()
    const next = reader.read()
    await nextTask()
    events.emit(REMOVED)
    expect(new TextDecoder().decode((await next).value)).toBe('pet-removed ')
    const last = reader.read()
    await nextTask()
    events.emit({ type: 'delay' })
    events.emit({ type: 'end' })
    expect(new TextDecoder().decode((await last).value)).toBe('delay ')
    expect([(await reader.read()).done, events.isWatched]).toEqual([true, false])
  })

  test('is watched as long as somebody listens, also after everybody had left', async () => {
    const { events, open } = start(({ type }) => `${type} `)
    const [one, other] = [open(), open()]
    await one.cancel()
    expect(events.isWatched).toBe(true)
    await other.cancel()
    expect(events.isWatched).toBe(false)
    const stream = open()
    events.emit({ type: 'delay' })
    expect(await readText(stream, 1)).toEqual(['state delay '])
    await stream.cancel()
    expect(events.isWatched).toBe(false)
  })
})

describe('a client that does not read', () => {
  const STATE = LARGEST_BACKLOG / 2

  test('is disconnected with a last event, as soon as it is more than a megabyte behind', async () => {
    for (const [length, isCut] of [
      [STATE, false],
      [STATE + 1, true],
    ] as const) {
      const { events, open } = start(({ type }) => 'x'.repeat(type === 'state' ? STATE : length))
      const stream = open()
      // A stream with a buffer of its own would take the first event out of the backlog.
      await nextTask()
      events.emit(REMOVED)
      if (!isCut) events.emit({ type: 'end' })
      const texts = await readText(stream, 3)
      const lagged = /^event: lagged\ndata: \{"message":"This client .*"\}\n\n$/
      expect(texts).toEqual([isCut ? expect.stringMatching(lagged) : 'x'.repeat(STATE + length)])
    }
  })

  test('has no backlog of what it has read', async () => {
    const { events, open } = start(() => 'x'.repeat(STATE))
    const reader = open().getReader()
    for (let count = 0; count < 4; count += 1) {
      expect((await reader.read()).value).toHaveLength(STATE)
      events.emit(REMOVED)
    }
    await reader.cancel()
  })
})

function start(write: (event: StreamEvent) => string) {
  const events = new Listeners<SandboxEvent>()
  const streams = new Set<object>()
  const open = () => openEventFeed({ streams, events, write }) as ReadableStream<Uint8Array>
  return { events, open }
}

/** By then a reader waits for the next piece. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** The next pieces of a stream, at most `count`. */
async function readText(stream: ReadableStream<Uint8Array>, count: number): Promise<string[]> {
  const reader = stream.getReader()
  const texts: string[] = []
  while (texts.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    texts.push(new TextDecoder().decode(value))
  }
  reader.releaseLock()
  return texts
}

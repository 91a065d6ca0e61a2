import { describe, expect, test } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { readBeginning } from '../../src/http/read-beginning.ts'

const { signal } = new AbortController()

describe('the beginning of a body', () => {
  test.each([
    [['ab', 'c'], 4, 'abc', false],
    [['ab', 'cd'], 4, 'abcd', false],
    [['ab', 'cde'], 4, 'abcde', true],
    [['ab', 'cdefgh', 'ij'], 4, 'abcde', true],
    [['abcdef'], 0, 'a', true],
    [[], 4, '', false],
  ])('of %j up to %i bytes is %s, and a byte more shows that there is more', async (chunks, limit, text, isCut) => {
    const { stream, wasCancelled } = toStream(chunks)
    const pieces = await readBeginning(stream, { limit, signal })
    expect([new TextDecoder().decode(joinBytes(pieces)), wasCancelled()]).toEqual([text, isCut])
  })

  test('is not read for a client that has gone', async () => {
    const { stream, wasCancelled } = toStream(['ab'])
    expect(await readBeginning(stream, { limit: 4, signal: AbortSignal.abort() })).toEqual([])
    expect(wasCancelled()).toBe(true)
  })

  test('is what had come when the client goes', async () => {
    const client = new AbortController()
    let cancelled: unknown
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('ab')),
      pull: () => client.abort(),
      cancel: () => {
        cancelled = true
        throw new Error('nobody hears of it')
      },
    })
    const pieces = await readBeginning(stream, { limit: 4, signal: client.signal })
    expect([pieces.length <= 1, cancelled]).toEqual([true, true])
  })
})

/** A stream that knows whether the rest was given up. */
function toStream(chunks: readonly string[]) {
  const left = chunks.map((text) => new TextEncoder().encode(text))
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = left.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, wasCancelled: () => cancelled }
}

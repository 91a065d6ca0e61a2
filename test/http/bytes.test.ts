import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { join, readBeginning, toOwned } from '../../src/http/bytes.ts'

const sizes = fc.array(fc.oneof(fc.nat(10), fc.integer({ min: 4000, max: 4200 }), fc.nat(70_000)), { maxLength: 8 })

describe('bytes', () => {
  test('of a body are those of its chunks, whatever their sizes', () => {
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map(toChunk)
        expect(Buffer.compare(join(chunks), Buffer.concat(chunks))).toBe(0)
      }),
    )
  })

  test('that are a part of a larger buffer get one of their own', () => {
    const whole = toChunk(100)
    expect(toOwned(whole)).toBe(whole)
    const part = toOwned(whole.subarray(10, 20))
    expect([part.buffer.byteLength, [...part]]).toEqual([10, [...whole.subarray(10, 20)]])
  })
})

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
    const read = await readBeginning(stream, { limit })
    expect([new TextDecoder().decode(read.bytes), read.isCut, wasCancelled()]).toEqual([text, isCut, isCut])
  })

  test('is not read for a client that has gone', async () => {
    const { stream, wasCancelled } = toStream(['ab'])
    expect((await readBeginning(stream, { limit: 4, signal: AbortSignal.abort() })).bytes).toHaveLength(0)
    expect(wasCancelled()).toBe(true)
  })

  test('of no stream is empty', async () => {
    expect(await readBeginning(null, { limit: 0 })).toEqual({ bytes: new Uint8Array(), isCut: false })
  })

  test('that breaks off is an error, or its end', async () => {
    const toBroken = () => {
      const left = [new TextEncoder().encode('ab')]
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = left.shift()
          if (next === undefined) controller.error(new Error('broken'))
          else controller.enqueue(next)
        },
      })
    }
    await expect(readBeginning(toBroken(), { limit: 4 })).rejects.toThrow('broken')
    const { bytes, isCut } = await readBeginning(toBroken(), { limit: 4, isBreakEnd: true })
    expect([new TextDecoder().decode(bytes), isCut]).toEqual(['ab', false])
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

function toChunk(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256)
}

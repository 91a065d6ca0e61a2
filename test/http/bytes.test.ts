import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteCollector, countBytes, joinBytes, readBeginning, takePieces, toOwned } from '../../src/http/bytes.ts'

const sizes = fc.array(fc.oneof(fc.nat(10), fc.integer({ min: 4000, max: 4200 }), fc.nat(70_000)), { maxLength: 8 })

describe('bytes', () => {
  test('of a body are those of its chunks, whatever their sizes', () => {
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map(toChunk)
        const collector = new ByteCollector()
        for (const chunk of chunks) collector.add(chunk)
        expect(collector.length).toBe(countBytes(chunks))
        expect(Buffer.compare(collector.join(), Buffer.concat(chunks))).toBe(0)
        expect(Buffer.compare(joinBytes(chunks), Buffer.concat(chunks))).toBe(0)
      }),
    )
  })

  test('taken are the first, and no more than as many again', () => {
    fc.assert(
      fc.property(sizes, fc.nat(100_000), (lengths, limit) => {
        const pieces = lengths.map(toChunk)
        const whole = Buffer.concat(pieces)
        const taken = Buffer.concat(takePieces(pieces, limit))
        expect(Buffer.compare(taken, whole.subarray(0, taken.length))).toBe(0)
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(whole.length, limit + 1))
        if (whole.length > limit) expect(taken.length).toBeLessThanOrEqual(2 * limit + 1)
      }),
    )
  })

  test('one piece alone is given back as it is', () => {
    const piece = toChunk(3)
    expect(joinBytes([piece])).toBe(piece)
    expect(takePieces([piece], 3)[0]).toBe(piece)
  })

  test('taken are shared: all pieces, or all but one that is longer than the limit', () => {
    const pieces = [toChunk(60), toChunk(60), toChunk(60)]
    expect(takePieces(pieces, 180)).toBe(pieces)
    for (const [limit, count] of [
      [179, 3],
      [120, 3],
      [119, 2],
      [60, 2],
    ] as const)
      expect(takePieces(pieces, limit).map((piece) => pieces.indexOf(piece))).toEqual([0, 1, 2].slice(0, count))
    const [cut] = takePieces(pieces, 59)
    expect([cut, cut?.buffer.byteLength]).toEqual([pieces[0], 60])
    expect(takePieces(pieces, 10)[0]?.buffer.byteLength).toBe(11)
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

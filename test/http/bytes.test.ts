import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteCollector, countBytes, joinBytes, takePieces, toOwned } from '../../src/http/bytes.ts'

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

  test('of chunks that come one by one lie in blocks, and not in as many pieces', () => {
    const collector = new ByteCollector()
    for (let count = 0; count < 5000; count += 1) collector.add(Uint8Array.of(count % 256))
    expect(collector.join()).toHaveLength(5000)
  })

  test('taken are the first, and no more than as many again', () => {
    fc.assert(
      fc.property(sizes, fc.nat(100_000), (lengths, limit) => {
        const pieces = lengths.map(toChunk)
        const whole = Buffer.concat(pieces)
        const taken = Buffer.concat(takePieces(pieces, limit))
        expect(Buffer.compare(taken, whole.subarray(0, taken.length))).toBe(0)
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(whole.length, limit + 1))
        if (whole.length > limit) expect(taken.length).toBeLessThanOrEqual(Math.max(2 * limit, limit + 1))
      }),
    )
  })

  test('one piece alone is given back as it is', () => {
    const piece = toChunk(3)
    expect(joinBytes([piece])).toBe(piece)
    expect(takePieces([piece], 3)[0]).toBe(piece)
  })

  test('taken share what they can: all pieces, or all but the last one, which is cut', () => {
    const pieces = [toChunk(60), toChunk(60), toChunk(60)]
    const [first, second] = pieces
    expect(takePieces(pieces, 180)).toBe(pieces)
    expect(takePieces(pieces, 150)).toBe(pieces)
    expect(takePieces(pieces, 60).map((piece) => pieces.indexOf(piece))).toEqual([0, 1])
    const cut = takePieces(pieces, 59)
    expect([cut.length, cut[0], cut[0] === first]).toEqual([1, first, true])
    const last = takePieces([toChunk(60), toChunk(61)], 60)[1]
    expect([last, last?.buffer.byteLength]).toEqual([second?.subarray(0, 1).fill(61 % 256), 1])
  })

  test.each([
    ['4,095 bytes', toChunk(4095), false],
    ['4,096 bytes', toChunk(4096), true],
    ['half of its buffer', toChunk(10_000).subarray(0, 5000), true],
    ['less than half of its buffer', toChunk(10_001).subarray(0, 5000), false],
  ])('of a body in one chunk of %s are that chunk: %s', (_, chunk, isSame) => {
    const collector = new ByteCollector()
    collector.add(chunk)
    const joined = collector.join()
    expect([joined === chunk, Buffer.compare(joined, chunk)]).toEqual([isSame, 0])
  })

  test('that are a part of a larger buffer get one of their own', () => {
    const whole = toChunk(100)
    expect(toOwned(whole)).toBe(whole)
    const part = toOwned(whole.subarray(10, 20))
    expect([part.buffer.byteLength, [...part]]).toEqual([10, [...whole.subarray(10, 20)]])
  })
})

function toChunk(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256)
}

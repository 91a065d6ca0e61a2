import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteBudget } from '../../src/http/bytes.ts'
import { LARGEST_HANDLER_BODY, limitBody } from '../../src/service/answer-by-user.ts'

describe('limitBody', () => {
  test('passes a body on while the budget lasts, and gives back what it took', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 0, max: 100 }), async (chunks, free) => {
        const budget = new ByteBudget(100)
        budget.take(100 - free)
        const limited = limitBody(toRequest(chunks), budget)
        const fits = chunks.reduce((sum, size) => sum + size, 0) <= free
        const read = await readSize(limited.request)
        expect([limited.isTooLarge, read]).toEqual([
          !fits,
          fits ? chunks.reduce((sum, size) => sum + size, 0) : 'AbortError',
        ])
        limited.release()
        limited.release()
        expect([budget.take(free + 1), budget.take(free)]).toEqual([false, true])
      }),
    )
  })

  test.each([
    [[LARGEST_HANDLER_BODY], LARGEST_HANDLER_BODY],
    [[LARGEST_HANDLER_BODY, 1], 'AbortError'],
  ])('of %j bytes lets %s through, where the budget is large', async (chunks, read) => {
    expect(await readSize(limitBody(toRequest(chunks), new ByteBudget(Infinity)).request)).toBe(read)
  })

  test('leaves a request without a body alone', () => {
    const request = new Request('http://a.example/')
    const budget = new ByteBudget(1)
    const limited = limitBody(request, budget)
    limited.release()
    expect([limited.request, limited.isTooLarge, budget.take(2)]).toEqual([request, false, false])
  })
})

function toRequest(sizes: readonly number[]): Request {
  const rest = sizes[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const { done, value } = rest.next()
      return done ? stream.close() : stream.enqueue(new Uint8Array(value))
    },
  })
  return new Request('http://a.example/', { method: 'POST', body, duplex: 'half' } as RequestInit)
}

async function readSize(request: Request): Promise<number | string> {
  try {
    return (await request.arrayBuffer()).byteLength
  } catch (error) {
    return (error as Error).name
  }
}

import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseWith } from '../../src/http/schema.ts'
import { createMock } from '../../src/index.ts'
import { createClock } from '../../src/sandbox/clock.ts'
import { DELAY, type Delay, drawDelay } from '../../src/sandbox/delay.ts'
import { list, update } from '../ask.ts'

afterEach(() => void vi.useRealTimers())

describe('delays', () => {
  test('pass by the clock, also under a runner’s fake timers', async () => {
    const mock = createMock({ delay: 20 })
    vi.useFakeTimers()
    expect((await list(mock)).status).toBe(200)
  })

  test('are drawn from the sandbox’s own sequence, the same after a reset', async () => {
    const mock = createMock({ delay: [0, 1000], randomSeed: 5 })
    mock.clock.useVirtual()
    const drawFive = async (): Promise<number[]> => {
      const durations: number[] = []
      for (let count = 0; count < 5; count += 1) {
        const answered = list(mock)
        await mock.clock.advance(1000)
        await answered
        durations.push(mock.journal.last()?.duration ?? -1)
      }
      return durations
    }
    const first = await drawFive()
    mock.reset()
    expect(await drawFive()).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(1)
  })

  test('of a sandbox act there alone, until its reset', async () => {
    const mock = createMock()
    const slow = mock.sandbox('slow')
    slow.setDelay(60_000)
    mock.clock.useVirtual()
    expect((await list(mock)).status).toBe(200)
    const waiting = list(mock, slow.apiKey)
    await mock.clock.advance(59_999)
    expect(mock.clock.pending).toBe(1)
    await mock.clock.advance(1)
    expect((await waiting).status).toBe(200)
    slow.reset()
    expect((await list(mock, slow.apiKey)).status).toBe(200)
  })

  test('end early for a client that gives up, and the update does not take place', async () => {
    const mock = createMock({ delay: 60_000 })
    const answered = update(mock, 1, 99, { signal: AbortSignal.timeout(20) })
    await expect(answered).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
    expect([mock.clock.pending, mock.inventory.get(1)?.quantity]).toEqual([0, 12])
  })
})

describe('a virtual clock', () => {
  test('lets delays end in the order of their ends, and of their beginnings', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    const order: string[] = []
    const ask = async (name: string, delay: number): Promise<void> => {
      const sandbox = mock.sandbox(name)
      sandbox.setDelay(delay)
      await list(mock, sandbox.apiKey)
      order.push(name)
    }
    const all = [ask('b', 200), ask('a', 100), ask('c', 200), ask('d', 50)]
    await mock.clock.advance(1000)
    await Promise.all(all)
    expect(order).toEqual(['d', 'a', 'b', 'c'])
  })

  test('does not let real time end a delay', async () => {
    const clock = createClock()
    clock.useVirtual()
    const slept = clock.sleep(0)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(clock.pending).toBe(1)
    await clock.advance(0)
    expect(await slept).toBe(true)
  })

  test('does not begin a delay for a client that is gone already', async () => {
    const clock = createClock()
    expect(await clock.sleep(60_000, AbortSignal.abort())).toBe(false)
    expect(clock.pending).toBe(0)
  })

  test('can be advanced only while it is virtual', async () => {
    const { clock } = createMock()
    await expect(clock.advance(1)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  test('can be advanced forwards to the last time that a Date can hold, and no further', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    const left = 8_640_000_000_000_000 - mock.clock.now()
    for (const ms of [-1, Number.NaN, '5' as never, 5n as never, Number.MAX_VALUE, left + 1])
      await expect(mock.clock.advance(ms)).rejects.toMatchObject({ name: 'MockError', code: 'INVALID_OPTION' })
    await mock.clock.advance(left)
    await expect(mock.clock.advance(1)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await list(mock)
    expect((await mock.fetch('/_mock/journal')).status).toBe(200)
  })

  test('moves by the sum of what it is advanced by at the same time', async () => {
    const { clock } = createMock()
    clock.useVirtual()
    const before = clock.now()
    await Promise.all([clock.advance(1000), clock.advance(10)])
    expect(clock.now() - before).toBe(1010)
  })

  test('that returns to real time while it advances stays real', async () => {
    const clock = createClock()
    clock.useVirtual()
    const advanced = clock.advance(86_400_000)
    clock.useReal()
    await advanced
    expect([clock.isVirtual, clock.now()]).toEqual([false, expect.closeTo(Date.now(), -6)])
  })

  test('that returns from the future ends no request before it began', async () => {
    const mock = createMock({ delay: 60_000 })
    mock.clock.useVirtual()
    await mock.clock.advance(86_400_000)
    const answered = list(mock)
    await mock.clock.advance(0)
    mock.clock.useReal()
    await answered
    expect(mock.journal.last()?.duration).toBe(0)
  })

  test('that stops again while an earlier advance runs is not moved by it', async () => {
    const clock = createClock()
    clock.useVirtual()
    const advanced = clock.advance(86_400_000)
    clock.useReal()
    clock.useVirtual()
    const before = clock.now()
    const slept = clock.sleep(1)
    await advanced
    expect([clock.now(), clock.pending]).toEqual([before, 1])
    await clock.advance(1)
    expect(await slept).toBe(true)
  })
})

const DAY = 86_400_000

const parseDelay = (given: unknown): Delay => parseWith(DELAY, given, { failure: 'Failed', subject: 'the delay' })

describe('a latency', () => {
  test('of a range is drawn from all of it, bounds included, and from nothing else', () => {
    const range = fc.tuple(fc.nat(DAY), fc.nat(DAY)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
    const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(range, drawn, ([min, max], random) => {
        expect(drawDelay([min, max], () => 0)).toBe(min)
        expect(drawDelay([min, max], () => 1 - 2 ** -53)).toBe(max)
        const delay = drawDelay([min, max], () => random)
        expect(delay >= min && delay <= max && Number.isInteger(delay)).toBe(true)
      }),
    )
  })

  test('of a range with fractions stay within it', () => {
    expect(drawDelay([0.5, 1], () => 1 - 2 ** -53)).toBe(1)
  })

  test('that is fixed is not drawn', () => {
    expect(drawDelay(200, () => expect.fail('it was drawn'))).toBe(200)
  })

  test.each<[given: unknown, delay?: Delay]>([
    [0],
    [0.5],
    [DAY],
    [[0, DAY]],
    [[5, 5]],
    ['200', 200],
    ['100-300', [100, 300]],
  ])('%j is taken', (given, delay = given as Delay) => {
    expect(parseDelay(given)).toEqual(delay)
  })

  test.each([-1, DAY + 1, Number.NaN, [3, 1], [7], [0, DAY + 1], '1-2-3', '1.5', '', ['1', '2'], null, 1n])(
    '%o is refused by name',
    (given) => {
      expect(() => parseDelay(given)).toThrow(
        expect.objectContaining({
          code: 'INVALID_OPTION',
          message: expect.stringMatching(/^Failed: the delay must be milliseconds up to a day/),
        }),
      )
    },
  )
})

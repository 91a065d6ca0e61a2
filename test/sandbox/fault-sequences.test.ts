import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, type Fault, type Mock } from '../../src/index.ts'
import { SandboxFaults } from '../../src/sandbox/faults.ts'
import { list, update } from '../ask.ts'

async function listStatuses(mock: Mock, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await list(mock)).status)
  return statuses
}

describe('a fault', () => {
  test.each<[Fault, number[]]>([
    [{ status: 503, after: 2 }, [200, 200, 503, 503, 503, 503]],
    [{ status: 503, every: 3 }, [200, 200, 503, 200, 200, 503]],
    [{ status: 503, after: 1, every: 2, times: 1 }, [200, 200, 503, 200, 200, 200]],
    [{ status: 503, after: 1, every: 3 }, [200, 200, 200, 503, 200, 200]],
    [{ statuses: [200, 503, 200, 429] }, [200, 503, 200, 429, 200, 200]],
    [{ statuses: [503, 200], times: 2 }, [503, 200, 503, 200, 200, 200]],
    [{ statuses: [503, 502], after: 1, every: 2 }, [200, 200, 503, 200, 502, 200]],
  ])('%j gives %j', async (fault, statuses) => {
    const mock = createMock()
    mock.faults.add(fault)
    expect(await listStatuses(mock, statuses.length)).toEqual(statuses)
  })

  test('with 200 in its sequence lets the request through to the service', async () => {
    const mock = createMock()
    const own = await (await list(mock)).text()
    mock.faults.add({ statuses: [200, 503] })
    expect(await (await list(mock)).text()).toBe(own)
    expect([mock.journal.last()?.fault, mock.faults.list()[0]?.used]).toEqual([undefined, 0])
  })

  test.each([
    [0, 0, false],
    [0.5, 0.49, true],
    [0.5, 0.5, false],
    [1, 1 - 2 ** -53, true],
  ])('with the probability %d is triggered by the random number %d: %s', (probability, drawn, isTriggered) => {
    const faults = new SandboxFaults(() => {})
    faults.add({ status: 503, probability })
    const request = { operation: undefined, method: 'GET', resource: '/', path: '/', petId: undefined, now: 0 }
    const match = faults.take(request, () => drawn)
    expect(match?.fault !== undefined).toBe(isTriggered)
  })

  test('that is added, triggered or removed is an event, and one that is not there is none', () => {
    let events = 0
    const faults = new SandboxFaults(() => {
      events += 1
    })
    faults.add({ status: 503 })
    faults.add({ status: 500 })
    expect([faults.remove(3), events]).toEqual([false, 2])
    expect([faults.remove(1), events, faults.list().map(({ id }) => id)]).toEqual([true, 3, [2]])
    faults.clear()
    expect([faults.isEmpty, events]).toEqual([true, 4])
  })

  test('with after or every leaves the requests between to the fault behind it', async () => {
    const mock = createMock()
    mock.faults.add({ status: 503, every: 2 })
    mock.faults.add({ status: 500 })
    expect(await listStatuses(mock, 4)).toEqual([500, 503, 500, 503])
  })

  test('with after counts only what it matches', async () => {
    const mock = createMock()
    mock.faults.add({ operation: 'updateInventory', status: 503, after: 1 })
    const updates = [update(mock, 1, 2), update(mock, 1, 2)].map(async (sent) => (await sent).status)
    expect([await listStatuses(mock, 3), await Promise.all(updates)]).toEqual([
      [200, 200, 200],
      [200, 503],
    ])
  })

  test('a sequence is what was asked for, whatever it is', async () => {
    const status = fc.oneof(fc.constant(200), fc.integer({ min: 400, max: 599 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(status, { minLength: 1, maxLength: 8 }).filter((statuses) => statuses.some((each) => each !== 200)),
        fc.integer({ min: 1, max: 3 }),
        async (statuses, times) => {
          const mock = createMock()
          mock.faults.add({ statuses, times })
          const rounds = Array.from({ length: times }, () => statuses).flat()
          expect(await listStatuses(mock, rounds.length + 1)).toEqual([...rounds, 200])
          expect(mock.faults.list()).toEqual([])
        },
      ),
    )
  })
})

describe('a rate limit', () => {
  test('lets its requests through, refuses the others with Retry-After, and begins again with the next window', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    mock.faults.add({ rateLimit: { requests: 2, window: 10_000 } })
    const shown = async () => {
      const { status, headers } = await list(mock)
      return [
        status,
        ...['remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`)),
        headers.get('retry-after'),
      ]
    }
    expect([await shown(), await shown()]).toEqual([
      [200, '1', '10', null],
      [200, '0', '10', null],
    ])
    await mock.clock.advance(4500)
    expect(await shown()).toEqual([429, '0', '6', '6'])
    await mock.clock.advance(5500)
    expect(await shown()).toEqual([200, '1', '10', null])
    const { headers } = await list(mock)
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-policy')]).toEqual(['2', '2;w=10'])
  })

  test('begins again after a return from virtual to real time', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    await mock.clock.advance(86_400_000)
    mock.faults.add({ rateLimit: { requests: 1, window: 1000 } })
    expect([(await list(mock)).status, (await list(mock)).status]).toEqual([200, 429])
    mock.clock.useReal()
    const { status, headers } = await list(mock)
    expect([status, headers.get('ratelimit-reset')]).toEqual([200, '1'])
  })

  test('beside another one shows its own headers where it refuses', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    mock.faults.add({ rateLimit: { requests: 5, window: 60_000 } })
    mock.faults.add({ rateLimit: { requests: 1, window: 10_000 } })
    const show = async () => {
      const { status, headers } = await list(mock)
      return [status, ...['ratelimit-limit', 'ratelimit-remaining', 'retry-after'].map((name) => headers.get(name))]
    }
    expect([await show(), await show()]).toEqual([
      [200, '5', '4', null],
      [429, '1', '0', '10'],
    ])
  })

  test('holds for one sandbox, and may answer with a status and body of its own', async () => {
    const mock = createMock()
    mock.sandbox('a').faults.add({ rateLimit: { requests: 0, window: 1000 }, status: 503, body: { busy: true } })
    const response = await list(mock, 'demo-key~a')
    expect([response.status, await response.json()]).toEqual([503, { busy: true }])
    expect((await list(mock)).headers.has('ratelimit-limit')).toBe(false)
    expect(mock.sandbox('a').journal.last()?.fault).toMatchObject({ id: 1, status: 503 })
  })
})

import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/http/bytes.ts'
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
  ])('%j gives %j', async (fault, statuses) => {
    const mock = createMock()
    mock.faults.add(fault)
    expect(await listStatuses(mock, statuses.length)).toEqual(statuses)
  })

  test.each([
    [0, 0, false],
    [0.5, 0.49, true],
    [0.5, 0.5, false],
    [1, 1 - 2 ** -53, true],
  ])('with the probability %d is triggered by the random number %d: %s', (probability, drawn, isTriggered) => {
    const faults = new SandboxFaults({ notify: () => {}, budget: new Budget(4096) })
    faults.add({ status: 503, probability })
    const request = { operation: undefined, method: 'GET', resource: '/', path: '/', petId: undefined }
    expect(faults.take(request, () => drawn) !== undefined).toBe(isTriggered)
  })

  test('that is added, triggered or removed is an event, and one that is not there is none', () => {
    let events = 0
    const faults = new SandboxFaults({ notify: () => (events += 1), budget: new Budget(10_000) })
    faults.add({ status: 503 })
    faults.add({ status: 500 })
    expect([faults.remove(3), events]).toEqual([false, 2])
    expect([faults.remove(1), events, faults.list().map(({ id }) => id)]).toEqual([true, 3, [2]])
    faults.clear()
    expect([faults.isEmpty, events]).toEqual([true, 4])
    faults.close()
    expect(events).toBe(4)
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
})

import { describe, expect } from 'vitest'
import type { Mock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'
import { defineTest } from '../../src/testing/vitest.ts'

const test = defineTest({ fixture: 'low-stock' })

// The second test looks at what the first has left behind.
describe('what a test leaves behind', { shuffle: false, concurrent: false }, () => {
  let waiting: Promise<unknown> | undefined

  test('is, while it runs, a sandbox of its own', ({ mock, inventory }) => {
    inventory.inventory.set(1, { quantity: 99 })
    inventory.faults.add({ error: 'timeout' })
    const headers = { authorization: `Bearer ${inventory.apiKey}` }
    waiting = fetch('https://api.petstore.example/v1/inventory', { headers }).catch((error: unknown) => error)
    expect(toService(mock).sandboxes.size).toBe(1)
    expect(inventory.name).toMatch(/^test-[A-Za-z0-9._-]+$/)
  })

  test('is nothing when it is over: no sandbox, and no client that waits', async ({ mock }) => {
    expect(toService(mock).sandboxes.size).toBe(0)
    expect(await waiting).toBeInstanceOf(TypeError)
  })
})

// Each test looks at what the one before has left behind in the default sandbox, as code with a key of its own uses it.
describe('the default sandbox', { shuffle: false, concurrent: false }, () => {
  const isUntouched = (mock: Mock) => {
    expect([mock.inventory.get(1)?.quantity, mock.faults.list(), mock.journal.entries]).toEqual([1, [], []])
  }
  const touch = async (mock: Mock) => {
    mock.faults.add({ delay: 1 })
    await fetch('https://api.petstore.example/v1/inventory/1', {
      method: 'PATCH',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: '{"quantity":77}',
    })
    expect(mock.inventory.get(1)?.quantity).toBe(77)
  }

  test('is changed by a test that uses inventory', ({ mock, inventory }) => {
    expect(inventory).toHaveStock(1, 1)
    return touch(mock)
  })

  test('is reset for the next one, which uses the mock alone', ({ mock }) => {
    isUntouched(mock)
    return touch(mock)
  })

  test('is reset after that, too', ({ mock }) => isUntouched(mock))

  test('has a clock that a test may stop', ({ mock }) => mock.clock.useVirtual())

  test('has the real time again for the next one', ({ mock }) => expect(mock.clock.isVirtual).toBe(false))

  describe.concurrent('is not reset while other tests run', () => {
    const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>()

    // Its suite runs beside the other test.
    describe.concurrent('in a suite of its own', () => {
      test('a short one', { concurrent: false }, ({ mock, onTestFinished }) => {
        // Called after the end of the fixtures.
        onTestFinished(() => end())
        return touch(mock)
      })
    })

    test('a long one', async ({ mock }) => {
      await hasEnded
      expect(mock.inventory.get(1)?.quantity).toBe(77)
    })
  })
})

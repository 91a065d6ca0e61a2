import { describe, expect } from 'vitest'
import { toService } from '../../src/service/mock-service.ts'
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

// The second test must not see the requests of the first.
describe('a failure of toHaveReceived names', { shuffle: false, concurrent: false }, () => {
  const send = (key: string) =>
    fetch('https://api.petstore.example/v1/inventory', { headers: { authorization: `Bearer ${key}` } })

  test('the sandbox that got the request instead', async ({ mock, inventory }) => {
    await send(mock.apiKey)
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow('Received by the sandbox default.')
  })

  test('no sandbox that got such a request before the test, until it gets another', async ({ mock, inventory }) => {
    expect(mock.journal.entries).toHaveLength(1)
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow(/0 times\.\nIt received no requests\.$/)
    await send(mock.apiKey)
    expect(() => expect(inventory).toHaveReceived('listInventory')).toThrow('Received by the sandbox default.')
  })
})

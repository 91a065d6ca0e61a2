import { afterAll, beforeAll, describe, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'

const UPDATES = 5

describe.concurrent('200 tests at once on one server, each changing the same pets', { timeout: 60_000 }, () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(createMock())
  })
  afterAll(() => server.close())

  for (let index = 0; index < 200; index += 1) {
    test(`test ${index} has the pets to itself`, async ({ expect }) => {
      const client = connect(server.url, `demo-key~test-${index}`)
      const before = await client.list()
      expect(before).toHaveLength(10)
      for (let count = 1; count <= UPDATES; count += 1) {
        await client.update(1, index * UPDATES + count)
        await client.update(2, index - 1000)
      }
      const [first, second, ...rest] = await client.list()
      expect([first?.quantity, second?.quantity]).toEqual([(index + 1) * UPDATES, index - 1000])
      expect(rest).toEqual(before.slice(2))
    })
  }
})

interface Pet {
  readonly petId: number
  readonly quantity: number
}

/** The code under test: it knows an address and a key, and nothing of sandboxes. */
function connect(url: string, apiKey: string) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return {
    async list(): Promise<Pet[]> {
      return (await fetch(`${url}/v1/inventory`, { headers })).json()
    },
    async update(petId: number, quantity: number): Promise<void> {
      const body = JSON.stringify({ quantity })
      const answer = await fetch(`${url}/v1/inventory/${petId}`, { method: 'PATCH', headers, body })
      if (!answer.ok) throw new Error(`The update of pet ${petId} was answered with ${answer.status}.`)
    },
  }
}

import { beforeEach, expect } from 'vitest'
import { test } from '../../src/testing/vitest.ts'

const ask = (): Promise<Response> =>
  fetch('https://api.petstore.example/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })

let statusInHook = 0
beforeEach(async () => (statusInHook = (await ask()).status))

// The first test of the file, which has not asked for a fixture yet.
test('requests of tests and hooks that ask for no fixture do not reach the network', async () => {
  expect([statusInHook, (await ask()).status]).toEqual([200, 200])
})

import { afterAll, expect, vi } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { defineTest } from '../../src/testing/vitest.ts'

const test = defineTest({ fixture: 'low-stock', onUnhandledRequest: 'error', failOnUnusedFaults: true })

async function useFault({ apiKey, faults }: Sandbox): Promise<void> {
  faults.add({ status: 503 })
  const headers = { authorization: `Bearer ${apiKey}` }
  expect((await fetch('https://api.petstore.example/v1/inventory', { headers })).status).toBe(503)
}

const seen: string[] = []
// Both are expected to fail: the fixture has to fail them after their last line, where no assertion can catch it.
test.fails('a test that leaves a fault of its sandbox unused fails', ({ inventory }) => {
  inventory.faults.add({ status: 503 })
})
test.fails('a test that leaves a fault of the mock unused fails', ({ mock, onTestFinished }) => {
  onTestFinished(({ task }) => void seen.push(String(task.result?.errors?.[0]?.message)))
  mock.faults.add({ status: 503 })
})

test('a test starts without faults of others, and passes if it uses its own', async ({ inventory, mock }) => {
  expect(mock.faults.list()).toEqual([])
  await useFault(inventory)
  await useFault(mock)
})

// In any order of the tests.
afterAll(() => {
  const hint = /"status":503\}\nConcurrent tests must use inventory\.faults instead\.$/
  expect(seen).toEqual([expect.stringMatching(hint)])
})

test('a request that is not for the mock fails', async ({ mock }) => {
  using log = vi.spyOn(console, 'error').mockReturnValue()
  // The base path is forgotten.
  const failed = fetch('https://api.petstore.example/inventory')
  await expect(failed).rejects.toThrow('GET https://api.petstore.example/inventory is not for the mock')
  expect(log).toHaveBeenCalledTimes(1)
  expect(mock.inventory.get(1)?.quantity).toBe(1)
})

test.each<[options: object, message: string]>([
  [{ onUnhandledRequest: 'ignore' }, 'onUnhandledRequest must be one of bypass, warn, error, got "ignore" (string).'],
  [{ failOnUnusedFaults: 'yes' }, 'failOnUnusedFaults must be true or false, got "yes" (string).'],
  [{ failOnUnusedFault: true }, 'failOnUnusedFault is not known. Did you mean failOnUnusedFaults? Known: fixture,'],
])('%j fails the file at once', (options, message) => {
  expect(() => defineTest(options)).toThrow(message)
})

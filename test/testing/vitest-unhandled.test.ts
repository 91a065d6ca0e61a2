import { expect, vi } from 'vitest'
import { defineTest } from '../../src/testing/vitest.ts'

const test = defineTest({ fixture: 'low-stock', onUnhandledRequest: 'error' })

test('a request that is not for the mock fails', async ({ mock }) => {
  using log = vi.spyOn(console, 'error').mockReturnValue()
  // The base path is forgotten.
  const failed = fetch('https://api.petstore.example/inventory')
  await expect(failed).rejects.toThrow('GET https://api.petstore.example/inventory is not for the mock')
  expect(log).toHaveBeenCalledTimes(1)
  expect(mock.inventory.get(1)?.quantity).toBe(1)
})

test('an invalid value fails the file at once', () => {
  expect(() => defineTest({ onUnhandledRequest: 'ignore' as never })).toThrow(
    'onUnhandledRequest must be one of bypass, warn, error, got "ignore" (string).',
  )
})

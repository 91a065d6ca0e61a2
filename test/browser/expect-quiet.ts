import { afterEach, beforeEach, expect, vi } from 'vitest'

// What a test does not take out with takeConsole() nobody asked for, and fails it.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  expect([...takeConsole('warn'), ...takeConsole('error')]).toEqual([])
})

/** What was written to the console since the start of the test, or since this was last asked. */
export function takeConsole(method: 'warn' | 'error'): unknown[][] {
  const spy = vi.mocked(console[method])
  const calls = [...spy.mock.calls]
  spy.mockClear()
  return calls
}

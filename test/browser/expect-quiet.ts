import { afterEach, beforeEach, expect, vi } from 'vitest'

// Console output that a test does not consume with takeConsole() fails it.
beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  expect([...takeConsole('warn'), ...takeConsole('error')]).toEqual([])
})

/** The console output since the start of the test, or since the last call. */
export function takeConsole(method: 'warn' | 'error'): unknown[][] {
  const spy = vi.mocked(console[method])
  const calls = [...spy.mock.calls]
  spy.mockClear()
  return calls
}

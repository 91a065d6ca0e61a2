import { beforeEach, describe, expect, test, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { startService } from '../check/services/plain-service.ts'
import { QUIET_IO } from './run-cli.ts'

describe('the progress of check', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    return () => vi.useRealTimers()
  })

  /** Runs a check without updates, in which every request of the service takes one second. */
  async function run(...flags: string[]): Promise<readonly string[]> {
    await using service = await startService()
    service.onRequest = () => vi.advanceTimersByTime(1000)
    const lines: string[] = []
    const code = await main(['check', service.url, '--api-key', service.apiKey, ...flags], {
      ...QUIET_IO,
      err: (line) => lines.push(line),
      isTerminal: { out: false, err: true },
    })
    expect(code).toBe(0)
    return lines.filter((line) => / of \d+ cases/.test(line))
  }

  test('is a line for each second on a terminal', async () => {
    const lines = await run()
    expect(lines[0]).toMatch(/^0 of \d{2} cases: listInventory: a valid key is 200$/)
    expect(lines[1]).toMatch(/^1 of \d{2} cases: listInventory: no key is 401$/)
    expect(new Set(lines).size).toBe(lines.length)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not shown with --quiet', async () => {
    expect(await run('--quiet')).toEqual([])
  })
})

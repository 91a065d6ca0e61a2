import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { startService } from '../check/services/plain-service.ts'
import { QUIET_IO } from '../cli/run-cli.ts'

test.each([[[]], [['--quiet']]])(
  'check %j shows its progress on a terminal once a second, unless it is quiet',
  async (flags) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await using service = await startService()
    service.onRequest = () => vi.advanceTimersByTime(1000)
    const err = vi.fn()
    const io = { ...QUIET_IO, err, isTerminal: { out: false, err: true } }
    expect(await main(['check', service.url, '--api-key', service.apiKey, ...flags], io)).toBe(0)
    const lines = err.mock.calls.flat().filter((line) => / of \d+ cases/.test(line))
    expect(lines[1]).toEqual(
      flags.length > 0 ? undefined : expect.stringMatching(/^1 of \d{2} cases: listInventory: no key/),
    )
    expect(vi.getTimerCount()).toBe(0)
  },
)

import { beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../check/services/plain-service.ts'
import { type SpawnedBin, spawnBin } from '../cli/start-bin.ts'

/**
 * The signals of a terminal, of which two come with two requests in a row, and when the first comes, by the requests of a
 * run that nobody stops.
 */
export type End = readonly [signals: NodeJS.Signals[], moment: string, find: (lines: readonly string[]) => number]

/** Declares that a check which is ended leaves the stock as it was. */
export function describeSignals(ends: readonly End[]): void {
  // Windows has no signals that a process could answer with an orderly end.
  describe.skipIf(process.platform === 'win32')('check --write leaves the stock as it was', () => {
    let lines: readonly string[]

    beforeAll(async () => {
      await using service = await startService()
      const sent: string[] = []
      service.onRequest = (_, line) => sent.push(line)
      await using run = startCheck(service)
      expect(await run.exit).toBe(0)
      lines = sent
    })

    test.concurrent.each(ends)('%j at %s', async (signals, _, find) => {
      await using service = await startService()
      const before = service.stock()
      const at = find(lines)
      const left = [...signals]
      await using run = startCheck(service)
      service.onRequest = (count) => {
        const signal = count >= at ? left.shift() : undefined
        // To the program and its children, as a terminal sends it.
        if (signal !== undefined) process.kill(-(run.child.pid as number), signal)
      }
      const code = await run.exit
      expect(service.stock()).toEqual(before)
      // A run that is restoring already is not stopped any more. A second signal may find the process at its end.
      expect([0, 130, ...signals.slice(1)]).toContain(code)
      expect(run.err()).toMatch(
        /^(?:Restoring the stock, which takes 90 s at most…\n)?(?:Changed and restored: [pet\d, ]+\.\n)?$/,
      )
    })
  })
}

function startCheck({ url, apiKey }: { url: string; apiKey: string }): SpawnedBin {
  return spawnBin(['check', url, '--api-key', apiKey, '--write'], { isGroup: true })
}

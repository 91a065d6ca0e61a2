import fc from 'fast-check'
import { expect } from 'vitest'
import { type RunCheckOptions, runCheck } from '../../src/check/run-check.ts'
import { parseOptions } from '../../src/service/mock-options.ts'
import { serveOther } from './other-service.ts'
import { PROFILES } from './profiles.ts'

/** Finds the profile of a service, without waiting for late updates. */
export async function probeProfile(options: RunCheckOptions) {
  const { report, found } = await runCheck({ lateMs: 0, ...options, findProfile: true })
  const isRestored = report.cases.at(-1)?.verdict === 'passed'
  return { url: report.url, points: found?.points ?? [], profile: found?.profile ?? {}, isRestored }
}

/** Finds the profiles of so many services that decide at random. */
export async function findRandomProfiles(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(PROFILES, async (decisions) => {
      await using service = await serveOther({ decisions })
      const before = structuredClone(service.pets)
      const { profile } = await probeProfile({ url: service.url, write: true })
      expect(parseOptions({ profile }).rules).toEqual(parseOptions({ profile: decisions }).rules)
      expect(service.pets).toEqual(before)
      expect(service.requests.length).toBeLessThan(450)
    }),
    { numRuns },
  )
}

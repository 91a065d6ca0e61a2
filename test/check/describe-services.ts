import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckReport, groupByCause } from '../../src/check/report.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { BROKEN_ANSWERS } from './services/broken-answers.ts'
import { BROKEN_KEYS } from './services/broken-keys.ts'
import { BROKEN_REFUSALS } from './services/broken-refusals.ts'
import { FOUND_BY, OTHER_VERDICTS } from './services/found-by.ts'
import { startService } from './services/plain-service.ts'
import type { ServiceUnderTest } from './services/services.ts'

interface Judged {
  readonly report: CheckReport
  readonly before: unknown
  readonly after: unknown
}

/** How many services are checked side by side, most of which wait. */
const SIDE_BY_SIDE = 60
/** Services that are broken in what the case that finds them sends, whatever was sent before: the others are checked whole. */
export const OF_ONE_CASE: readonly string[] = [BROKEN_REFUSALS, BROKEN_KEYS, BROKEN_ANSWERS].flatMap(Object.keys)
/** The number of requests before decides what these do. */
const COUNTING = ['key-flaky', 'key-expires', 'key-of-connection', 'every-fourth-update-500']

/** How long the last case waits, where it is shorter than for other services. */
const toLateMs = (name: string): number | undefined => (name === 'undone-after-5s' ? undefined : 700)

/** Declares what a check says of these services. @returns what it said, by the name of a service. */
export function describeServices(services: readonly ServiceUnderTest[]): (name: string) => Judged {
  const judged = new Map<string, Judged>()
  const find = (name: string): Judged => judged.get(name) as Judged

  beforeAll(async () => {
    const queue = [...services]
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) judged.set(next.name, await judge(next))
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  }, 240_000)

  describe('a check of a service that somebody else wrote', () => {
    test.each(services.filter(({ kind }) => kind === 'broken'))('finds $name: $sentence', ({ name }) => {
      const { report } = find(name)
      const verdict = OTHER_VERDICTS[name] ?? 'failed'
      const finding = FOUND_BY[name as keyof typeof FOUND_BY]
      const found = report.cases
        .filter((each) => each.verdict === verdict)
        .flatMap((each) => [`${each.operation}: ${each.case}`, ...each.findings.map(({ message }) => message)])
      expect(report.verdict).toBe({ failed: 'broken', differs: 'kept', inconclusive: 'inconclusive' }[verdict])
      expect(found).toContainEqual(typeof finding === 'string' ? finding : expect.stringMatching(finding))
    })

    test.each(services.filter(({ kind }) => kind === 'sound'))('does not blame $name: $sentence', ({ name }) => {
      const { report } = find(name)
      const blamed = groupByCause(report).flatMap(([each]) =>
        each.verdict === 'differs' ? [] : [each.case, ...each.findings],
      )
      expect([report.verdict, blamed]).toEqual(['kept', []])
    })

    test.each(services.filter(({ restorable }) => restorable))('leaves the stock of $name as it was', ({ name }) => {
      const { before, after } = find(name)
      expect(after).toEqual(before)
    })
  })

  return find
}

async function judge({ name, vary }: ServiceUnderTest): Promise<Judged> {
  await using service = await startService(vary)
  const before = structuredClone(service.stock())
  const { url, apiKey } = service
  const isWhole = !OF_ONE_CASE.includes(name) || COUNTING.includes(name)
  const only = isWhole ? undefined : String(FOUND_BY[name as keyof typeof FOUND_BY])
  const limits = { limitMs: 110_000, restorePatienceMs: 10_000, lateMs: toLateMs(name) }
  const { report } = await runCheck({ url, apiKey, write: true, only, ...limits })
  return { report, before, after: service.stock() }
}

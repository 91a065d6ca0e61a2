import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckReport, groupByCause } from '../../src/check/report.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { MockError } from '../../src/http/mock-error.ts'
import { SERVICES, type ServiceUnderTest } from './services/services.ts'

interface Judged {
  /** `undefined` if the check could not start. */
  readonly report: CheckReport | undefined
  readonly before: unknown
  readonly after: unknown
}

/** How many services are checked side by side, most of which wait. */
const SIDE_BY_SIDE = 20
/** The specification leaves the order of a 401 and a 404 open, and a profile names it. */
const DIFFERS: Readonly<Record<string, string>> = {
  'key-after-lookup': 'a wrong key for an unknown pet is 401',
}

const judged = new Map<string, Judged>()

async function judge({ name, start, responseLimitMs }: ServiceUnderTest): Promise<void> {
  const service = await start()
  const before = structuredClone(service.stock())
  const { url, apiKey } = service
  const limits = { limitMs: 110_000, restorePatienceMs: 5000, responseLimitMs }
  const report = await runCheck({ url, apiKey, write: true, ...limits }).then(
    (run) => run.report,
    (error: unknown) => {
      if (!(error instanceof MockError && error.code === 'CHECK_FAILED')) throw error
    },
  )
  judged.set(name, { report: report ?? undefined, before, after: service.stock() })
  await service.close()
}

beforeAll(async () => {
  const queue = [...SERVICES]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
}, 240_000)

function find(name: string): Judged {
  return judged.get(name) as Judged
}

describe('a check of a service that somebody else wrote', () => {
  test.each(SERVICES.filter(({ kind }) => kind === 'broken'))('finds $name: $defect', ({ name }) => {
    const { report } = find(name)
    const differing = report?.cases.find((each) => each.case === DIFFERS[name])?.verdict === 'differs'
    expect(differing || report?.verdict !== 'kept').toBe(true)
  })

  test.each(SERVICES.filter(({ kind }) => kind === 'sound'))('does not blame $name: $defect', ({ name }) => {
    const { report } = find(name)
    const groups = report === undefined ? [] : groupByCause(report)
    const blamed = groups.flatMap(([each]) => (each.verdict === 'differs' ? [] : [each.case, ...each.findings]))
    expect([report?.verdict, blamed]).toEqual(['kept', []])
  })

  test.each(SERVICES.filter(({ restorable }) => restorable))('leaves the stock of $name as it was', ({ name }) => {
    const { before, after } = find(name)
    expect(after).toEqual(before)
  })
})

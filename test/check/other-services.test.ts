import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckReport, listFindings } from '../../src/check/report.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { MockError } from '../../src/http/mock-error.ts'
import { SERVICES, type ServiceUnderTest } from './services/services.ts'

interface Judged {
  readonly report: CheckReport | undefined
  /** The sentence of a check that could not start. */
  readonly refusal: string | undefined
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

async function judge({ name, start }: ServiceUnderTest): Promise<void> {
  const service = await start()
  const before = structuredClone(service.stock())
  const { url, apiKey } = service
  try {
    const { report } = await runCheck({ url, apiKey, write: true, limitMs: 110_000, restorePatienceMs: 5000 })
    judged.set(name, { report, refusal: undefined, before, after: service.stock() })
  } catch (error) {
    if (!(error instanceof MockError && error.code === 'CHECK_FAILED')) throw error
    judged.set(name, { report: undefined, refusal: error.message, before, after: service.stock() })
  } finally {
    await service.close()
  }
}

beforeAll(async () => {
  const queue = [...SERVICES]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
}, 180_000)

function find(name: string): Judged {
  return judged.get(name) as Judged
}

function listRemarks(report: CheckReport | undefined): readonly string[] {
  const findings = report === undefined ? [] : listFindings(report)
  return findings.map(({ verdict, result }) => `${verdict}: ${result.case}: ${result.reason ?? result.violations[0]}`)
}

describe('a check of a service that somebody else wrote', () => {
  test.each(SERVICES.filter(({ kind }) => kind === 'broken'))('finds $name: $defect', ({ name }) => {
    const { report, refusal } = find(name)
    const differing = report?.cases.find((each) => each.case === DIFFERS[name])?.verdict === 'differs'
    expect(refusal !== undefined || differing || report?.verdict !== 'kept').toBe(true)
  })

  test.each(SERVICES.filter(({ kind }) => kind === 'sound'))('does not blame $name: $defect', ({ name }) => {
    const { report } = find(name)
    const remarks = listRemarks(report).filter((remark) => !remark.startsWith('differs'))
    expect([report?.verdict, remarks]).toEqual(['kept', []])
  })

  test.each(SERVICES.filter(({ restorable }) => restorable))('leaves the stock of $name as it was', ({ name }) => {
    const { before, after } = find(name)
    expect(after).toEqual(before)
  })
})

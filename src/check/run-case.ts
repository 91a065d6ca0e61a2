import type { CaseResult, Verdict } from './check-report.ts'
import { NoAnswer } from './conformance/ask.ts'
import type { CheckSession } from './conformance/check-session.ts'
import type { CaseOutcome, ConformanceCase } from './conformance/conformance-case.ts'

/** How to judge a case. */
interface RunCaseOptions {
  readonly session: CheckSession
  /** Whether the service is external, so that this project's own decisions do not bind it. */
  readonly isForeign: boolean
}

/** Runs a case and returns its verdict. */
export async function runCase(each: ConformanceCase, { session, isForeign }: RunCaseOptions): Promise<CaseResult> {
  const { operation, title, source, expected } = each
  const description = { operation, case: title, source, expected }
  const reason = each.findObstacle(session)
  if (reason !== undefined) {
    return { ...description, status: undefined, verdict: 'skipped', violations: [], reason, durationMs: 0 }
  }
  const start = performance.now()
  const { recording, broken } = record(session)
  const { status, deviation, faults, difference } = await each.run(recording).catch(toOutcome)
  const isBroken = broken.size > 0 || faults.length > 0
  return {
    ...description,
    status,
    verdict: toVerdict({ isBroken, deviation }, isForeign && source === 'decision'),
    violations: [...(deviation === undefined ? [] : [deviation]), ...faults, ...broken],
    ...(difference !== undefined && { difference }),
    durationMs: Math.round(performance.now() - start),
  }
}

/** A session that collects the violations of its responses. */
function record(session: CheckSession): { recording: CheckSession; broken: Set<string> } {
  const broken = new Set<string>()
  const send: CheckSession['send'] = async (request) => {
    const answer = await session.send(request)
    for (const { message } of answer.violations) broken.add(message)
    return answer
  }
  return { recording: { ...session, send }, broken }
}

function toOutcome(error: unknown): CaseOutcome {
  if (!(error instanceof NoAnswer)) throw error
  return {
    status: undefined,
    deviation: undefined,
    faults: [`The service sent no complete response: ${error.message}`],
  }
}

function toVerdict(
  { isBroken, deviation }: { isBroken: boolean; deviation: string | undefined },
  isFree: boolean,
): Verdict {
  if (isBroken) return 'failed'
  if (deviation === undefined) return 'passed'
  return isFree ? 'differs' : 'failed'
}

import type { CaseResult, Verdict } from './check-report.ts'
import { NoAnswer } from './conformance/ask.ts'
import type { CheckSession } from './conformance/check-session.ts'
import type { CaseOutcome, ConformanceCase } from './conformance/conformance-case.ts'

/** How to take what a case shows. */
export interface RunCaseOptions {
  readonly session: CheckSession
  /** Whether the service is somebody else's: our decisions do not bind it. */
  readonly isForeign: boolean
}

/** Runs one case and gives its verdict. */
export async function runCase(
  { operation, title, source, expected, needsPet, run }: ConformanceCase,
  { session, isForeign }: RunCaseOptions,
): Promise<CaseResult> {
  const description = { operation, case: title, source, expected }
  if (needsPet && session.pet === undefined) {
    const reason = session.petlessReason
    return { ...description, status: undefined, verdict: 'skipped', violations: [], reason, durationMs: 0 }
  }
  const start = performance.now()
  const { recording, broken } = record(session)
  const { status, deviation } = await run(recording).catch(toOutcome)
  return {
    ...description,
    status,
    verdict: toVerdict(
      { isBroken: broken.size > 0 || status === undefined, deviation },
      isForeign && source === 'decision',
    ),
    violations: [...(deviation === undefined ? [] : [deviation]), ...broken],
    durationMs: Math.round(performance.now() - start),
  }
}

/** A session that remembers what its answers break. */
function record(session: CheckSession): { recording: CheckSession; broken: Set<string> } {
  const broken = new Set<string>()
  const send: CheckSession['send'] = async (request) => {
    const answer = await session.send(request)
    for (const { message } of answer.violations) broken.add(message)
    return answer
  }
  return { recording: { ...session, send }, broken }
}

function toOutcome(error: unknown): Omit<CaseOutcome, 'status'> & { status: undefined } {
  if (error instanceof NoAnswer) return { status: undefined, deviation: `The service did not answer: ${error.message}` }
  throw error
}

function toVerdict(
  { isBroken, deviation }: { isBroken: boolean; deviation: string | undefined },
  isFree: boolean,
): Verdict {
  if (isBroken) return 'failed'
  if (deviation === undefined) return 'passed'
  return isFree ? 'differs' : 'failed'
}

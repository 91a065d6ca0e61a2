import type { CaseResult } from './check-report.ts'
import { RESPONSE_LIMIT_MS } from './conformance/ask.ts'
import { createSession } from './conformance/check-session.ts'
import type { ConformanceCase } from './conformance/conformance-case.ts'
import type { CheckTarget } from './conformance/exchange.ts'
import type { Survey } from './conformance/survey.ts'
import { CONFORMANCE_PACK } from './conformance-pack.ts'
import { LENIENT_JUDGE } from './judge.ts'
import { defineRestoring } from './restore-stock.ts'
import { runCase } from './run-case.ts'

/** Options of `checkService`. */
export interface CheckServiceOptions {
  readonly survey: Survey
  /** Whether the service is external, so that this project's own decisions do not bind it. */
  readonly isForeign: boolean
  /** Whether updates may be sent. */
  readonly mayWrite: boolean
  /** @default CONFORMANCE_PACK */
  readonly pack?: readonly ConformanceCase[]
  /** Called before each case. */
  readonly onCase?: ((progress: CheckProgress) => void) | undefined
  /** Called after the changed quantities are restored, even if the run is aborted. */
  readonly onRestored?: ((restored: RestoredStock) => void) | undefined
}

/** The progress of a check. */
export interface CheckProgress {
  readonly title: string
  readonly done: number
  readonly count: number
}

/** The result of restoring the stock that a check changed. */
export interface RestoredStock {
  /** The ids of the updated pets, in decimal form. */
  readonly petIds: readonly string[]
  /** What could not be restored, as a sentence. */
  readonly problem: string | undefined
  /** The ids of the pets with an update that may still be applied, because the service did not respond to it. */
  readonly unconfirmed: readonly string[]
}

/**
 * Runs the cases against a service in any state. Finally, even if the run is aborted, it restores every quantity that it
 * changed and verifies that the whole list is as it was before.
 */
export async function checkService(
  target: CheckTarget,
  { survey, isForeign, mayWrite, pack = CONFORMANCE_PACK, onCase, onRestored }: CheckServiceOptions,
): Promise<readonly CaseResult[]> {
  const session = createSession(target, { survey, mayWrite })
  const results: CaseResult[] = []
  try {
    for (const each of pack) {
      onCase?.({ title: `${each.operation}: ${each.title}`, done: results.length, count: pack.length })
      results.push(await runCase(each, { session, isForeign }))
    }
  } finally {
    if (session.touched.size > 0) {
      const { signal: _, ...patient } = target
      // A closed terminal may have ended Prism: restoring does not depend on it.
      const last = createSession({ ...patient, judge: LENIENT_JUDGE }, { survey, mayWrite, isPersistent: true })
      const petIds = [...session.touched]
      const unconfirmed = [...session.unconfirmed]
      const restoring = defineRestoring({
        petIds,
        aliases: session.aliases,
        before: session.stock.pets,
        hasSideEffects: session.stock.hasSideEffects,
        isUnconfirmed: unconfirmed.length > 0,
        patienceMs: target.responseLimitMs ?? RESPONSE_LIMIT_MS,
      })
      const result = await runCase(restoring, { session: last, isForeign })
      results.push(result)
      onRestored?.({ petIds, problem: result.violations[0], unconfirmed })
    }
  }
  return results
}

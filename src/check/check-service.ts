import type { CaseResult } from './check-report.ts'
import { createSession } from './conformance/check-session.ts'
import { type ConformanceCase, defineCase } from './conformance/conformance-case.ts'
import type { CheckTarget } from './conformance/exchange.ts'
import type { ListedPet } from './conformance/listed-pet.ts'
import type { Survey } from './conformance/survey.ts'
import { CONFORMANCE_PACK } from './conformance-pack.ts'
import { runCase } from './run-case.ts'

/** How to check. */
export interface CheckServiceOptions {
  readonly survey: Survey
  /** Whether the service is somebody else's: our decisions do not bind it. */
  readonly isForeign: boolean
  /** @default CONFORMANCE_PACK */
  readonly pack?: readonly ConformanceCase[]
}

/**
 * Runs the cases against a service in whatever state it is, and sets the quantity it changed back at the end, also
 * where the run is given up.
 */
export async function checkService(
  target: CheckTarget,
  { survey, isForeign, pack = CONFORMANCE_PACK }: CheckServiceOptions,
): Promise<readonly CaseResult[]> {
  const session = createSession(target, survey)
  const results: CaseResult[] = []
  try {
    for (const each of pack) results.push(await runCase(each, { session, isForeign }))
  } finally {
    const { signal: _, ...patient } = target
    const last = defineSettingBack(survey.pet)
    results.push(await runCase(last, { session: createSession(patient, survey), isForeign }))
  }
  return results
}

function defineSettingBack(pet: ListedPet | undefined): ConformanceCase {
  return defineCase({
    operation: 'updateInventory',
    title: 'the old quantity is set again',
    expected: 200,
    needsPet: true,
    request: () => ({ petId: pet?.petId ?? '', body: `{"quantity":${pet?.quantity}}` }),
  })
}

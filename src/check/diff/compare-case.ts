import { FixtureError } from '../../store/fixture.ts'
import { NoAnswer } from '../conformance/ask.ts'
import type { CheckSession } from '../conformance/check-session.ts'
import type { ConformanceCase } from '../conformance/conformance-case.ts'
import type { CheckTarget } from '../conformance/exchange.ts'
import { findDifference } from './find-difference.ts'
import { mirrorSession } from './mirror-session.ts'

/** The other side of a comparison. */
interface ComparedMock {
  readonly target: CheckTarget
  /**
   * Gives the mock the stock of the service.
   * @throws {FixtureError}
   */
  readonly load: (list: unknown) => void
}

/** A case that sends its requests to the mock and to the service, and fails at the first response that differs. */
export function compareCase(each: ConformanceCase, mock: ComparedMock): ConformanceCase {
  return {
    ...each,
    async run(session) {
      const mirrored = mirrorSession(session, mock.target)
      await each.run(mirrored.session).catch(ignoreNoAnswer)
      const [first] = mirrored.exchanges
      const status = first !== undefined && 'status' in first.theirs ? first.theirs.status : undefined
      const difference = findDifference(mirrored.exchanges, session.apiKey)
      if (difference === undefined) return { status, deviation: undefined, faults: [] }
      await synchronize(session, mock)
      const deviation = `${difference.request}: ${difference.ours} from the mock, ${difference.theirs} from the service`
      return { status, deviation, faults: [], difference }
    },
  }
}

/** It is among the exchanges. */
function ignoreNoAnswer(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
}

/** After a difference the stocks may differ too, which must not fail the next cases. */
async function synchronize(session: CheckSession, mock: ComparedMock): Promise<void> {
  const list = await session.list().catch(ignoreNoAnswer)
  if (list === undefined) return
  try {
    mock.load(list)
  } catch (error) {
    // The mock cannot hold this stock, which the next list shows.
    if (!(error instanceof FixtureError)) throw error
  }
}

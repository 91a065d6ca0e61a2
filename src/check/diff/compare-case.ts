import { FixtureError } from '../../store/fixture.ts'
import { NoAnswer } from '../conformance/ask.ts'
import type { CheckSession } from '../conformance/check-session.ts'
import type { ConformanceCase } from '../conformance/conformance-case.ts'
import { findDifference } from './find-difference.ts'
import { recordSession } from './record-session.ts'

/** The other side of a comparison. */
export interface ComparedMock {
  /** A session with the mock, over the same stock. */
  readonly session: CheckSession
  /** Gives the mock the stock of the service. */
  readonly load: (list: unknown) => void
}

/** A case that sends its requests to the mock and to the service, and fails at the first response that differs. */
export function compareCase(each: ConformanceCase, mock: ComparedMock): ConformanceCase {
  return {
    ...each,
    async run(session) {
      const quantities: number[] = []
      const nextQuantity = (): number => {
        const quantity = mock.session.nextQuantity()
        quantities.push(quantity)
        return quantity
      }
      const ours = recordSession(mock.session, { nextQuantity })
      await each.run(ours.session).catch(ignoreNoAnswer)
      const theirs = recordSession(session, { nextQuantity: () => quantities.shift() ?? session.nextQuantity() })
      await each.run(theirs.session).catch(ignoreNoAnswer)
      const { exchanges } = theirs
      const difference = findDifference({ ours: ours.exchanges, theirs: exchanges, apiKey: session.apiKey })
      const status = exchanges[0]?.response?.status
      if (difference === undefined) return { status, deviation: undefined, faults: [] }
      await synchronize(session, mock)
      const deviation = `${difference.request}: ${difference.ours} from the mock, ${difference.theirs} from the service`
      return { status, deviation, faults: [], difference }
    },
  }
}

/** Recorded already. */
function ignoreNoAnswer(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
}

/** After a difference the stocks may differ too, which must not fail the next cases. */
async function synchronize(session: CheckSession, mock: ComparedMock): Promise<void> {
  const list = await session.list().catch(ignoreNoAnswer)
  if (list === undefined) return
  session.stock.compare(list)
  try {
    mock.load(list)
  } catch (error) {
    // The mock cannot hold this stock, which the next list shows.
    if (!(error instanceof FixtureError)) throw error
  }
}

import { toBeAtMost } from '../aim.ts'
import { compareSubjects } from '../compare-subjects.ts'
import type { BenchContext } from '../context.ts'
import type { Row } from '../row.ts'

/** What a request takes that is intercepted, against msw as one would set it up oneself. */
export async function measureIntercept(context: BenchContext): Promise<Row[]> {
  const title = { id: 7, what: 'fetch through interceptRequests', aim: toBeAtMost(0.2) }
  const sides = { ours: { name: 'intercepted-fetch' }, against: { name: 'setup-server-fetch' }, count: 100 } as const
  return [await compareSubjects(context, { ...title, against: 'setupServer, own handlers' }, sides)]
}

import { toBeAtMost } from '../aim.ts'
import { compareSubjects } from '../compare-subjects.ts'
import type { BenchContext } from '../context.ts'
import type { Row } from '../row.ts'

/** What `mock.fetch` takes, against what fetch's own classes take. */
export async function measureFetch(context: BenchContext): Promise<Row[]> {
  const title = { id: 6, what: 'mock.fetch GET of 10 pets, read as JSON', aim: toBeAtMost(1.5) }
  const sides = { ours: { name: 'fetch-list' }, against: { name: 'plain-fetch-list' }, count: 1000 } as const
  return [await compareSubjects(context, { ...title, against: 'Request, Response.json, .json()' }, sides)]
}

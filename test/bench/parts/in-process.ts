import { compareSubjects } from '../compare-subjects.ts'
import type { BenchContext } from '../context.ts'
import { type Row, toBeAtMost } from '../rows.ts'

/** What `mock.fetch` takes, against what fetch's own classes take. */
export async function measureFetch(context: BenchContext): Promise<Row[]> {
  const title = { id: 6, what: 'mock.fetch GET of 10 pets, read as JSON', aim: toBeAtMost(1.5) }
  const sides = { ours: { name: 'fetch-list' }, against: { name: 'plain-fetch-list' }, count: 1000 } as const
  return [await compareSubjects(context, { ...title, against: 'Request, Response.json, .json()' }, sides)]
}

/** What a request takes that is intercepted, against msw as one would set it up oneself. */
export async function measureIntercept(context: BenchContext): Promise<Row[]> {
  const title = { id: 7, what: 'fetch through interceptRequests', aim: toBeAtMost(0.2) }
  const sides = { ours: { name: 'intercepted-fetch' }, against: { name: 'setup-server-fetch' }, count: 100 } as const
  return [await compareSubjects(context, { ...title, against: 'setupServer, own handlers' }, sides)]
}

/** `reset()` of a large inventory, against a small one. */
export async function measureReset(context: BenchContext): Promise<Row[]> {
  const title = { id: 10, what: 'reset() after 10 changes, 100,000 pets', aim: toBeAtMost(2), against: '10 pets' }
  const toSide = (pets: number) => ({ name: 'reset-state', options: { pets } }) as const
  return [await compareSubjects(context, title, { ours: toSide(100_000), against: toSide(10), count: 1000 })]
}

import { isDeepStrictEqual } from 'node:util'
import { alternate } from './alternate.ts'
import type { BenchContext } from './context.ts'
import { compareRow, type Row, type RowTitle } from './row.ts'
import { startSubject } from './start-subject.ts'
import type { SubjectName, SubjectOptions } from './subjects/subjects.ts'

/** A subject and how it is made. */
export interface Side {
  readonly name: SubjectName
  readonly options?: Partial<SubjectOptions>
}

/** Compares two subjects, each in a process of its own; `count` is how often a round does the work. */
export async function compareSubjects(
  context: BenchContext,
  title: Omit<RowTitle, 'unit'>,
  { ours, against, count }: { ours: Side; against: Side; count: number },
): Promise<Row> {
  context.say(`  ${title.what}`)
  await using first = await startSubject(context, ours.name, ours.options)
  await using second = await startSubject(context, against.name, against.options)
  if (!isDeepStrictEqual(await first.check(), await second.check())) {
    throw new Error(`Failed to measure ${title.what}: the two sides do not give the same.`)
  }
  const pairs = await alternate(context.shortRounds, {
    ours: () => first.measure(count),
    against: () => second.measure(count),
  })
  return compareRow({ ...title, unit: 'µs' }, pairs)
}

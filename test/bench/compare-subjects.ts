import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { BenchContext } from './context.ts'
import { alternate, compareRow, type Row, type RowTitle } from './rows.ts'
import type { SubjectName, SubjectOptions } from './subjects/subjects.ts'

const SCRIPT = fileURLToPath(new URL('subjects/run-subject.ts', import.meta.url))

/** A subject that runs in a process of its own. */
interface StartedSubject extends AsyncDisposable {
  /** What the work gives. */
  check(): Promise<unknown>
  /** Does the work so many times; gives what one took, in microseconds. */
  measure(count: number): Promise<number>
}

async function startSubject(
  { processes }: Pick<BenchContext, 'processes'>,
  name: SubjectName,
  options: Partial<SubjectOptions> = {},
): Promise<StartedSubject> {
  const { child, complaint, stop } = processes.fork(SCRIPT, [name, JSON.stringify(options)])
  const ended = once(child, 'exit').then(() => {
    throw new Error(`Failed to measure ${name}: its process ended. ${complaint()}`)
  })
  ended.catch(() => {})
  const receive = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended])
    return (message as { answer: unknown }).answer
  }
  const ask = (count: number): Promise<unknown> => {
    child.send(count)
    return receive()
  }
  await receive()
  return {
    check: () => ask(0),
    measure: async (count) => ((await ask(count)) as number) * (1000 / count),
    [Symbol.asyncDispose]: stop,
  }
}

/** A subject and how it is made. */
interface Side {
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

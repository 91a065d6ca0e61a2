import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './context.ts'
import type { SubjectName, SubjectOptions } from './subjects/subjects.ts'

const SCRIPT = fileURLToPath(new URL('subjects/run-subject.ts', import.meta.url))

/** A subject that runs in a process of its own. */
export interface StartedSubject extends AsyncDisposable {
  /** What the work gives. */
  check(): Promise<unknown>
  /** Does the work so many times; gives what one took, in microseconds. */
  measure(count: number): Promise<number>
}

export async function startSubject(
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

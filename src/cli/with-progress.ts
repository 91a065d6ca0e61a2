import type { Io } from './io.ts'

/** After how long something is slow, in milliseconds. */
const PATIENCE_MS = 1000

export interface ProgressOptions<Result> {
  readonly io: Pick<Io, 'err' | 'isTerminal'>
  readonly work: () => Result | Promise<Result>
}

/** Does work, and says what it is to somebody who waits at a terminal for longer than a second. */
export async function withProgress<Result>(line: string, { io, work }: ProgressOptions<Result>): Promise<Result> {
  const timer = io.isTerminal.err ? setTimeout(() => io.err(line), PATIENCE_MS) : undefined
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

/** So many pets take more than a second on a slow machine. */
const MANY_PETS = 200_000
/** The same as a text, in characters. */
const LONG_TEXT = 60 * MANY_PETS

/** Whether an inventory takes its time to read or to make. It blocks the event loop: what is said is said before. */
export function isLargeInventory({ pets = 0, text = '' }: { readonly pets?: number; readonly text?: string }): boolean {
  return pets >= MANY_PETS || text.length >= LONG_TEXT
}

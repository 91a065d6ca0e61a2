import type { Io } from './io.ts'

/** How long work may take before it is announced, in milliseconds. */
const PATIENCE_MS = 1000

interface ProgressOptions<Result> {
  readonly io: Pick<Io, 'err' | 'isTerminal'>
  readonly work: () => Result | Promise<Result>
}

/** Does work, and announces it on a terminal if it takes longer than a second. */
export async function withProgress<Result>(line: string, { io, work }: ProgressOptions<Result>): Promise<Result> {
  const timer = io.isTerminal.err ? setTimeout(() => io.err(line), PATIENCE_MS) : undefined
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

/** The number of pets that takes more than a second on a slow machine. */
const MANY_PETS = 200_000
/** The length of a fixture with that many pets, in characters. */
const LONG_TEXT = 60 * MANY_PETS

/** Whether loading or generating an inventory is slow. It blocks the event loop, so announce it beforehand. */
export function isLargeInventory({ pets = 0, text = '' }: { readonly pets?: number; readonly text?: string }): boolean {
  return pets >= MANY_PETS || text.length >= LONG_TEXT
}

import { setTimeout } from 'node:timers/promises'

export interface Patience {
  /** In milliseconds. */
  readonly timeout?: number | undefined
  /** What is waited for, for the error. */
  readonly what: string
}

/** Polls until the result is truthy. Retries after errors, which happen while a page loads. */
export async function pollFor<Result>(
  ask: () => Promise<Result>,
  { timeout = 15_000, what }: Patience,
): Promise<NonNullable<Result>> {
  const end = performance.now() + timeout
  let cause: unknown
  do {
    try {
      const result = await ask()
      if (result) return result
      cause = undefined
    } catch (error) {
      cause = error
    }
    await setTimeout(30)
  } while (performance.now() < end)
  throw new Error(`Waited ${timeout} ms in vain for ${what}.`, { cause })
}

import { setTimeout } from 'node:timers/promises'

export interface Patience {
  /** In milliseconds. */
  readonly timeout?: number | undefined
  /** What is waited for, for the error. */
  readonly what: string
}

/** Asks until there is a truthy answer. What fails meanwhile, as a page that is being loaded does, is asked again. */
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

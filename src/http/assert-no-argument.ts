import { MockError } from './mock-error.ts'
import { quote } from './quote.ts'

/**
 * Refuses an argument of a method that takes none and would ignore it: `faults.clear(1)` cleared all faults.
 * @throws {MockError} `INVALID_OPTION`
 */
export function assertNoArgument(call: string, [given]: readonly unknown[], advice: string): void {
  if (given === undefined) return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to call ${call}(): it takes no argument, got ${quote(given)}. ${advice}`,
  )
}

/**
 * Refuses the name of a fixture as the argument of `reset()`. Anything else is ignored: a runner passes its context to a
 * hook, such as `afterEach(mock.reset)`.
 * @throws {MockError} `INVALID_OPTION`
 */
export function assertNoFixture(given: readonly unknown[]): void {
  if (typeof given[0] === 'string') assertNoArgument('reset', given, 'Use load().')
}

import type { ControlSchemas } from '../contract/control-types.ts'
import { assertNoArgument } from '../http/assert-no-argument.ts'
import type { Control } from './create-control.ts'

/** The mode of the clock, its time in milliseconds since 1970, and the number of delays in progress. */
export type ClockState = ControlSchemas['ClockState']

/** `mock.clock` of a mock in another process. */
export interface RemoteClock {
  /** The clock as it is now. */
  get(): Promise<ClockState>
  /** Stops time: new delays end only through `advance()`. */
  useVirtual(): Promise<ClockState>
  /** Returns to real time. Delays in progress end immediately. */
  useReal(): Promise<ClockState>
  /**
   * Moves virtual time forward. Resolves when all due delays have ended.
   * @param ms The distance in milliseconds.
   * @throws {MockError} `CONTROL_REFUSED` in real time.
   */
  advance(ms: number): Promise<ClockState>
}

export function createRemoteClock({ ask }: Control): RemoteClock {
  return {
    get: () => ask('getClock'),
    async useVirtual(...given: unknown[]) {
      assertNoArgument('clock.useVirtual', given, 'Virtual time starts at the present.')
      return ask('changeClock', { body: { mode: 'virtual' } })
    },
    useReal: () => ask('changeClock', { body: { mode: 'real' } }),
    advance: (ms) => ask('changeClock', { body: { advance: ms } }),
  }
}

import * as v from 'valibot'
import { writeExactJson } from '../http/exact-json.ts'
import { cut } from '../http/quote.ts'
import { must, object, oneOf } from '../http/schema.ts'
import { createJsonResponse } from '../http/wire-response.ts'
import type { Clock } from '../sandbox/clock.ts'
import { DELAY, type Delay } from '../sandbox/delay.ts'
import type { Fault } from '../sandbox/fault.ts'
import type { ActiveFault } from '../sandbox/faults.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import { ControlError, type RouteGroup, toNumber } from './control-route.ts'

/** Injected faults and latency. */
export interface MisbehaviourRoutes {
  /** List the faults that can still be triggered, in the order in which they were added */
  'GET /faults': { id: 'listFaults'; response: readonly ActiveFault[] }
  /**
   * Add a fault
   * @example The next two updates fail: {"operation":"updateInventory","status":503,"retryAfter":1,"times":2}
   */
  'POST /faults': { id: 'addFault'; body: Fault; status: 201; response: ActiveFault }
  /** Remove all faults */
  'DELETE /faults': { id: 'clearFaults' }
  /** Remove a fault */
  'DELETE /faults/{id}': { id: 'removeFault'; errors: 404 }
  /** Get the sandbox's own delay */
  'GET /delay': { id: 'getDelay'; response: DelaySetting }
  /**
   * Delay every response of the sandbox
   * @example From 100 to 300 ms: {"delay":[100,300]}
   * @example Restore the mock's delay: {"delay":null}
   */
  'PUT /delay': { id: 'setDelay'; body: DelayChange; response: DelaySetting }
  /** Get the time by which delays pass */
  'GET /clock': { id: 'getClock'; response: ClockState }
  /**
   * Stop, restart or advance the time
   *
   * All sandboxes share the clock. While it is virtual, delays end only when it is advanced. The response comes when
   * all delays that are due have ended. To advance a real clock is a 400.
   * @example Stop the time: {"mode":"virtual"}
   * @example Advance it by five seconds: {"advance":5000}
   */
  'POST /clock': { id: 'changeClock'; body: ClockChange; response: ClockState }
}

interface DelayChange {
  /** `null` restores the mock's delay. */
  readonly delay: Delay | string | null
}

/** @example {"delay":null} */
export interface DelaySetting {
  /** `null` if the mock's delay applies. */
  readonly delay: Delay | null
}

type ClockMode = 'virtual' | 'real'

/** With both, the mode is changed first. */
export interface ClockChange {
  readonly mode?: ClockMode
  /**
   * The distance in milliseconds.
   * @minimum 0
   * @maximum 1000000000000000
   */
  readonly advance?: number
}

/**
 * The clock of the mock.
 * @example {"mode":"real","now":1795298400000,"pending":0}
 */
export interface ClockState {
  /** Whether time stands still until it is advanced. */
  readonly mode: ClockMode
  /** Milliseconds since 1970. */
  readonly now: number
  /** The number of delays in progress. */
  readonly pending: number
}

const readId = toNumber(/^[1-9]\d{0,14}$/)
/** `faults.add` checks it. */
const UNCHECKED = v.custom<Fault>(() => true)
const DELAY_CHANGE = object<{ readonly delay: Delay | null }>({ delay: v.nullable(DELAY) })
const MILLISECONDS = must('milliseconds, a number from 0 to 1e15')
const CLOCK_CHANGE = object<ClockChange>({
  mode: v.optional(oneOf(['virtual', 'real'])),
  advance: v.optional(v.pipe(v.number(MILLISECONDS), v.minValue(0, MILLISECONDS), v.maxValue(1e15, MILLISECONDS))),
})

/** @internal */
export const faultRoutes: RouteGroup<MisbehaviourRoutes> = {
  'GET /faults': { answer: ({ sandbox }) => sandbox.faults.list() },
  'POST /faults': {
    body: UNCHECKED,
    answer: ({ sandbox, body }) => createJsonResponse(201, writeExactJson(sandbox.faults.add(body))),
  },
  'DELETE /faults': { answer: ({ sandbox }) => sandbox.faults.clear() },
  'DELETE /faults/{id}': {
    answer({ params: { id }, sandbox }) {
      const known = readId(id)
      if (known !== undefined && sandbox.faults.remove(known)) return
      throw new ControlError('unknown_fault', `There is no fault ${cut(id)} in the sandbox ${sandbox.controls.name}`)
    },
  },
  'GET /delay': { answer: ({ sandbox }) => toDelaySetting(sandbox) },
  'PUT /delay': {
    body: DELAY_CHANGE,
    answer({ sandbox, body: { delay } }) {
      sandbox.controls.setDelay(delay ?? undefined)
      return toDelaySetting(sandbox)
    },
  },
  'GET /clock': { answer: ({ clock }) => toClockState(clock) },
  'POST /clock': {
    body: CLOCK_CHANGE,
    async answer({ clock, body: { mode, advance } }) {
      if (mode === 'virtual') clock.useVirtual()
      if (mode === 'real') clock.useReal()
      if (advance !== undefined) await clock.advance(advance)
      return toClockState(clock)
    },
  },
}

export function toDelaySetting({ delay }: SandboxInternals): DelaySetting {
  return { delay: delay ?? null }
}

function toClockState(clock: Clock): ClockState {
  return { mode: clock.isVirtual ? 'virtual' : 'real', now: clock.now(), pending: clock.pending }
}

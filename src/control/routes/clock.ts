import * as v from 'valibot'
import { object, oneOf, parseWith, readAs } from '../../http/schema.ts'
import { assertAdvance, type Clock } from '../../sandbox/clock.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { readJson } from './read-json.ts'

const MODES = ['virtual', 'real'] as const

const CHANGE = v.pipe(
  object<{ mode: (typeof MODES)[number] | undefined; advance: number | undefined }>({
    mode: v.optional(oneOf(MODES)),
    advance: v.optional(readAs(readMs, 'milliseconds, a number of 0 or more')),
  }),
  v.check(({ mode, advance }) => mode !== undefined || advance !== undefined, 'it needs mode or advance'),
  v.check(({ mode, advance }) => mode !== 'real' || advance === undefined, 'only virtual time can be advanced'),
)

/** The clock of the whole mock: all sandboxes share it. */
export const getClock: ControlRoute<'getClock'> = defineControlRoute('getClock', ({ clock }) => ({
  status: 200,
  body: toClockState(clock),
}))

export const changeClock: ControlRoute<'changeClock'> = defineControlRoute('changeClock', async (context) => {
  const { clock } = context
  const refusal = { failure: 'Failed to change the clock', subject: 'the body' }
  const { mode, advance } = parseWith(CHANGE, await readJson(context), refusal)
  if (advance !== undefined && mode === undefined && !clock.isVirtual) {
    const message =
      'the time is real. Send { "mode": "virtual" } first, or both: { "mode": "virtual", "advance": 1000 }'
    throw new ControlError('invalid_request', `Failed to advance the clock: ${message}`)
  }
  // Checked first, so that a rejected request changes nothing.
  if (advance !== undefined) assertAdvance(advance, clock.now())
  if (mode === 'virtual') clock.useVirtual()
  if (mode === 'real') clock.useReal()
  if (advance !== undefined) await clock.advance(advance)
  return { status: 200, body: toClockState(clock) }
})

function toClockState(clock: Clock): { mode: 'virtual' | 'real'; now: number; pending: number } {
  return { mode: clock.isVirtual ? 'virtual' : 'real', now: clock.now(), pending: clock.pending }
}

function readMs(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

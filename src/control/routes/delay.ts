import * as v from 'valibot'
import { object } from '../../http/schema.ts'
import { DELAY, type Delay } from '../../sandbox/delay.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { readBody } from './read-json.ts'

/** The sandbox's own delay; `null` if the mock's delay applies. */
export const getDelay: ControlRoute<'getDelay'> = defineControlRoute('getDelay', ({ sandbox }) => ({
  status: 200,
  body: toDelaySetting(sandbox),
}))

const SETTING = object<{ readonly delay: Delay | null }>({ delay: v.nullable(DELAY) })

export const setDelay: ControlRoute<'setDelay'> = defineControlRoute('setDelay', async (context) => {
  const { sandbox } = context
  const { delay } = await readBody(context, { schema: SETTING })
  sandbox.controls.setDelay(delay ?? undefined)
  return { status: 200, body: toDelaySetting(sandbox) }
})

export function toDelaySetting({ delay }: SandboxInternals): { readonly delay: Delay | null } {
  return { delay: delay ?? null }
}

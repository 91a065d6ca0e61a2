import { createJsonResponse, type WireResponse } from '../../http/wire-response.ts'
import type { Delay } from '../../sandbox/clock.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { ControlRoute } from './control-route.ts'
import { readJsonObject } from './read-json.ts'

/** The sandbox's own delay; `null` where the mock's delay counts. */
export const getDelay: ControlRoute = {
  method: 'GET',
  path: '/delay',
  answer: ({ sandbox }) => describeDelay(sandbox),
}

export const setDelay: ControlRoute = {
  method: 'PUT',
  path: '/delay',
  async answer(context) {
    const { sandbox } = context
    const { delay } = await readJsonObject(context, { known: ['delay'] })
    sandbox.controls.setDelay(delay === null ? undefined : (delay as Delay | undefined))
    return describeDelay(sandbox)
  },
}

function describeDelay(sandbox: SandboxInternals): WireResponse {
  return createJsonResponse(200, toDelayJson(sandbox))
}

export function toDelayJson({ delay }: SandboxInternals): string {
  return JSON.stringify({ delay: delay ?? null })
}

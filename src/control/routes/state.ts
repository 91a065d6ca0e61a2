import { MockError } from '../../http/mock-error.ts'
import { createEmptyResponse, createJsonResponse, type WireResponse } from '../../http/wire-response.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { Fixture } from '../../store/fixture.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'
import { LARGEST_STATE, readJson } from './read-json.ts'

const encoder = new TextEncoder()
const [BEGINNING, END] = [encoder.encode('{"inventory":'), encoder.encode('}')]

export const getState: ControlRoute = {
  method: 'GET',
  path: '/state',
  answer: ({ sandbox }) => describeState(sandbox),
}

export const replaceState: ControlRoute = {
  method: 'PUT',
  path: '/state',
  async answer({ sandbox, ...upload }) {
    const fixture = await readJson(upload, LARGEST_STATE)
    if (typeof fixture === 'string')
      throw new ControlError('invalid_request', 'The body must be a fixture. POST /_mock/load takes the name of one')
    sandbox.controls.load(fixture as Fixture)
    return describeState(sandbox)
  },
}

/** Answers when the file is whole on the disk. */
export const saveState: ControlRoute = {
  method: 'POST',
  path: '/state/save',
  async answer({ saveState }) {
    if (saveState === undefined) {
      throw new ControlError('invalid_request', 'There is no file for the state. Start the mock with --state FILE')
    }
    await saveState().catch((error: unknown) => {
      if (!(error instanceof MockError && error.code === 'STATE_SAVE')) throw error
      throw new ControlError('internal_error', error.message, { cause: error })
    })
    return createEmptyResponse()
  },
}

export const reset: ControlRoute = {
  method: 'POST',
  path: '/reset',
  answer({ sandbox }) {
    sandbox.controls.reset()
    return describeState(sandbox)
  },
}

/** The state in the form of a fixture, ids exact. */
export async function describeState({ state }: SandboxInternals): Promise<WireResponse> {
  await state.prepare()
  return createJsonResponse(200, [BEGINNING, ...state.toList(), END])
}

import type { Bytes } from '../../http/bytes.ts'
import { MockError } from '../../http/mock-error.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { Fixture } from '../../store/fixture.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { LARGEST_STATE, readJson } from './read-json.ts'

const encoder = new TextEncoder()
const [BEGINNING, END] = [encoder.encode('{"inventory":'), encoder.encode('}')]

export const getState: ControlRoute<'getState'> = defineControlRoute('getState', ({ sandbox }) =>
  describeState(sandbox),
)

export const replaceState: ControlRoute<'replaceState'> = defineControlRoute(
  'replaceState',
  async ({ sandbox, ...upload }) => {
    const fixture = await readJson(upload, LARGEST_STATE)
    if (typeof fixture === 'string')
      throw new ControlError('invalid_request', 'The body must be a fixture. To load one by name, use POST /_mock/load')
    sandbox.controls.load(fixture as Fixture)
    return describeState(sandbox)
  },
)

/** Responds after the whole file is on the disk. */
export const saveState: ControlRoute<'saveState'> = defineControlRoute('saveState', async ({ saveState }) => {
  if (saveState === undefined) {
    throw new ControlError('invalid_request', 'There is no file for the state. Start the mock with --state FILE')
  }
  await saveState().catch((error: unknown) => {
    if (!(error instanceof MockError && error.code === 'STATE_SAVE')) throw error
    throw new ControlError('internal_error', error.message, { cause: error })
  })
  return { status: 204 }
})

export const reset: ControlRoute<'reset'> = defineControlRoute('reset', ({ sandbox }) => {
  sandbox.controls.reset()
  return describeState(sandbox)
})

/** The state as a fixture with exact ids. */
export async function describeState({
  state,
}: SandboxInternals): Promise<{ readonly status: 200; readonly text: readonly Bytes[] }> {
  await state.prepare()
  return { status: 200, text: [BEGINNING, ...state.toList(), END] }
}

import { DEFAULT_SANDBOX } from '../../auth/sandbox-name.ts'
import { cut } from '../../http/quote.ts'
import { createEmptyResponse, createJsonResponse } from '../../http/wire-response.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'

export const listSandboxes: ControlRoute = {
  method: 'GET',
  path: '/sandboxes',
  answer: ({ sandboxes }) =>
    createJsonResponse(
      200,
      JSON.stringify(
        Array.from(sandboxes.values(), ({ controls, state }) => ({
          name: controls.name,
          fixture: state.seed.name,
          pets: state.size,
          changes: state.changes,
        })),
      ),
    ),
}

export const deleteSandbox: ControlRoute = {
  method: 'DELETE',
  path: '/sandboxes/{name}',
  answer({ params: { name = '' }, sandboxes }) {
    if (sandboxes.remove(name)) return createEmptyResponse()
    if (name !== DEFAULT_SANDBOX)
      throw new ControlError('not_found', `There is no sandbox ${JSON.stringify(cut(name))}`)
    throw new ControlError('invalid_request', 'The default sandbox stays. Reset it with POST /_mock/reset')
  },
}

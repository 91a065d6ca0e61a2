import { DEFAULT_SANDBOX } from '../../auth/authenticator.ts'
import { cut } from '../../http/quote.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'

export const listSandboxes: ControlRoute<'listSandboxes'> = defineControlRoute('listSandboxes', ({ sandboxes }) => ({
  status: 200,
  body: Array.from(sandboxes.values(), ({ controls, state }) => ({
    name: controls.name,
    fixture: state.seed.name,
    pets: state.size,
    changes: state.changes,
  })),
}))

export const deleteSandbox: ControlRoute<'deleteSandbox'> = defineControlRoute(
  'deleteSandbox',
  ({ params: { name }, sandboxes }) => {
    if (sandboxes.remove(name)) return { status: 204 }
    if (name !== DEFAULT_SANDBOX)
      throw new ControlError('unknown_sandbox', `There is no sandbox ${JSON.stringify(cut(name))}`)
    throw new ControlError('invalid_request', 'The default sandbox cannot be deleted. Reset it with POST /_mock/reset')
  },
)

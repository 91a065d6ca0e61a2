import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { SPECIFICATION_VERSION } from '../../contract/operations.gen.ts'
import { VERSION } from '../../contract/version.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'

export const getHealth: ControlRoute<'getHealth'> = defineControlRoute(
  'getHealth',
  ({ sandbox, sandboxes, bases, delay }) => ({
    status: 200,
    body: {
      status: 'ok',
      version: VERSION,
      specificationVersion: SPECIFICATION_VERSION,
      basePath: bases[0].path,
      hasDemoKey: sandbox.keys.isValid(DEFAULT_API_KEY),
      delay,
      fixture: sandbox.state.seed.name,
      pets: sandbox.state.size,
      sandboxes: sandboxes.size,
    },
  }),
)

import { SPECIFICATION_VERSION } from '../../contract/operations.gen.ts'
import { VERSION } from '../../contract/version.ts'
import { createJsonResponse } from '../../http/wire-response.ts'
import type { ControlRoute } from './control-route.ts'

export const health: ControlRoute = {
  method: 'GET',
  path: '/health',
  answer: ({ sandbox, sandboxes, base, delay }) =>
    createJsonResponse(
      200,
      JSON.stringify({
        status: 'ok',
        version: VERSION,
        specificationVersion: SPECIFICATION_VERSION,
        basePath: base.path,
        delay,
        fixture: sandbox.state.seed.name,
        pets: sandbox.state.size,
        sandboxes: sandboxes.size,
      }),
    ),
}

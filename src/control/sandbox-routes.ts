import * as v from 'valibot'
import { DEFAULT_SANDBOX, type KeyChange } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { cut } from '../http/quote.ts'
import { mustSecretly, object } from '../http/schema.ts'
import type { SandboxesRoutes } from './contract.ts'
import { ControlError, type RouteGroup } from './control-route.ts'

const secret = v.optional(v.string(mustSecretly('a string')))
const NAMES: readonly string[] = ['add', 'revoke']

/** The first two checks come before those of `object`, whose messages repeat the value or an unknown name. */
const KEY_CHANGE = v.pipe(
  v.custom<unknown>(isJsonObject, mustSecretly('an object with add, revoke')),
  v.check(
    (body) => Object.keys(body as object).every((name) => NAMES.includes(name)),
    'it may only have add and revoke',
  ),
  object<KeyChange>({ add: secret, revoke: secret }),
  v.check(({ add, revoke }) => add !== undefined || revoke !== undefined, 'it needs add or revoke'),
)

export const sandboxRoutes: RouteGroup<SandboxesRoutes> = {
  // Keys are in the body, because addresses end up in logs. No response repeats them.
  'POST /keys': {
    body: KEY_CHANGE,
    answer({ sandbox, body }) {
      sandbox.keys.change(body)
    },
  },
  'GET /sandboxes': {
    answer: ({ sandboxes }) =>
      Array.from(sandboxes.values(), ({ controls, state }) => ({
        name: controls.name,
        fixture: state.seed.name,
        pets: state.size,
        changes: state.changes,
      })),
  },
  'DELETE /sandboxes/{name}': {
    scope: 'mock',
    answer({ params: { name }, sandboxes }) {
      if (sandboxes.remove(name)) return
      if (name !== DEFAULT_SANDBOX)
        throw new ControlError('unknown_sandbox', `There is no sandbox ${JSON.stringify(cut(name))}`)
      throw new ControlError(
        'invalid_request',
        'The default sandbox cannot be deleted. Reset it with POST /_mock/reset',
      )
    },
  },
}

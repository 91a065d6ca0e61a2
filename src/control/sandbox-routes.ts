import * as v from 'valibot'
import { DEFAULT_SANDBOX, type KeyChange } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { cut } from '../http/quote.ts'
import { ControlError, type RouteGroup } from './control-route.ts'

/** Isolated copies of the state, one for each test. */
export interface SandboxesRoutes {
  /**
   * Add or revoke an API key of the sandbox
   *
   * Concerns this sandbox alone, until it is reset. A revoked key gets a 401. Keys may be given with or without `~` and
   * the name of the sandbox. No response repeats them. A key to revoke that the sandbox never had is a 400. If
   * either key is refused, nothing is changed.
   * @example A key expires: {"revoke":"demo-key"}
   * @example A key replaces another: {"add":"new-key","revoke":"demo-key"}
   */
  'POST /keys': { id: 'changeKeys'; body: KeyChange }
  /** List all sandboxes, the default one first */
  'GET /sandboxes': { id: 'listSandboxes'; response: readonly SandboxSummary[] }
  /**
   * Remove a sandbox
   *
   * The next use of its name creates it again. The default sandbox cannot be removed; the response is then 400.
   */
  'DELETE /sandboxes/{name}': { id: 'deleteSandbox'; errors: 404 }
}

/**
 * The name of a sandbox.
 * @pattern ^[A-Za-z0-9._-]{1,64}$
 */
export type SandboxName = string

/** @example {"name":"default","fixture":"default","pets":10,"changes":0} */
export interface SandboxSummary {
  readonly name: SandboxName
  /** The fixture that was loaded last. */
  readonly fixture: string
  /** The number of pets. */
  readonly pets: number
  /** The number of pets that differ from the fixture. */
  readonly changes: number
}

/** The message repeats no value, because it may be a key. */
const KEY_CHANGE = v.custom<KeyChange>(
  (body) =>
    isJsonObject(body) &&
    Object.keys(body).length > 0 &&
    Object.entries(body).every(([name, key]) => /^(?:add|revoke)$/.test(name) && typeof key === 'string'),
  'must be an object with add, revoke or both, each a string',
)

/** @internal */
export const sandboxRoutes: RouteGroup<SandboxesRoutes> = {
  // Keys are in the body, because addresses end up in logs. No response repeats them.
  'POST /keys': {
    body: KEY_CHANGE,
    answer: ({ sandbox, body }) => sandbox.keys.change(body),
  },
  'GET /sandboxes': {
    answer: ({ sandboxes }) =>
      sandboxes.values().map(({ controls, state }) => ({
        name: controls.name,
        fixture: state.seed.name,
        pets: state.size,
        changes: state.changes,
      })),
  },
  'DELETE /sandboxes/{name}': {
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

import { DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { cut, suggest } from '../http/quote.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import { ControlError, type RouteGroup } from './control-route.ts'

/** Isolated copies of the state, one for each test. */
export interface SandboxesRoutes {
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

/** @internal */
export const sandboxRoutes: RouteGroup<SandboxesRoutes> = {
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
      if (name !== DEFAULT_SANDBOX) throw toUnknownSandbox(name, sandboxes)
      throw new ControlError(
        'invalid_request',
        'The default sandbox cannot be deleted. Reset it with POST /_mock/reset',
      )
    },
  },
}

export function toUnknownSandbox(name: string, sandboxes: Sandboxes): ControlError {
  const names = sandboxes.values().map(({ controls }) => controls.name)
  const hint = suggest(name, names)
  return new ControlError('unknown_sandbox', `There is no sandbox ${JSON.stringify(cut(name))}${hint && `.${hint}`}`)
}

import type { ActionParts } from './actions/action-parts.ts'
import { createFaultActions, type FaultActions } from './actions/fault-actions.ts'
import { createSandboxActions, type SandboxActions } from './actions/sandbox-actions.ts'
import { createServiceActions, type ServiceActions } from './actions/service-actions.ts'

/** Everything a user can do. */
export interface Actions extends ServiceActions, SandboxActions, FaultActions {}

export function createActions(parts: ActionParts): Actions {
  return { ...createServiceActions(parts), ...createSandboxActions(parts), ...createFaultActions(parts) }
}

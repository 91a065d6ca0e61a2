import { CONTROL_ROUTES } from '../../contract/control-routes.gen.ts'
import type {
  ControlParams,
  ControlQuery,
  ControlRouteId,
  ControlSuccess,
  DeepReadonly,
} from '../../contract/control-types.ts'
import type { BaseUrls } from '../../http/base-url.ts'
import type { ByteBudget } from '../../http/byte-budget.ts'
import type { Bytes } from '../../http/bytes.ts'
import type { FetchOutcome } from '../../http/outcome.ts'
import type { RoutePattern } from '../../http/router.ts'
import type { Awaitable, WireRequest } from '../../http/wire-request.ts'
import { createEmptyResponse, createJsonResponse, type WireResponse } from '../../http/wire-response.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import type { Delay } from '../../sandbox/clock.ts'
import type { EventFeeds } from '../../sandbox/event-feed.ts'
import type { Metrics } from '../../sandbox/metrics.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { Sandboxes } from '../../sandbox/sandboxes.ts'

/** What a control route has at hand. */
export interface ControlContext<Id extends ControlRouteId = ControlRouteId> extends ControlParts {
  readonly call: WireRequest
  /** The parameters of the path, decoded. */
  readonly params: ControlParams<Id>
  /** The query parameters: known ones only, each at most once. */
  readonly query: ControlQuery<Id>
  /** The sandbox named by `?sandbox=`, else the default one. */
  readonly sandbox: SandboxInternals
}

/** What all control routes of a mock have at hand. */
export interface ControlParts {
  readonly sandboxes: Sandboxes
  /** Saves the state where there is a file for it. */
  readonly saveState: (() => Promise<void>) | undefined
  /** Where the service lies, beside the control API. */
  readonly bases: BaseUrls
  /** The mock's own delay, where a sandbox has none. */
  readonly delay: Delay
  readonly metrics: Pick<Metrics, 'write'>
  readonly feeds: EventFeeds
  /** What the bodies of control requests share. */
  readonly uploads: ByteBudget
}

export type ControlOutcome = WireResponse | FetchOutcome

/** One route of the control API. */
export interface ControlRoute<Id extends ControlRouteId = ControlRouteId> extends RoutePattern {
  readonly id: Id
  /** The names of its query parameters. */
  readonly query: readonly string[]
  /** @throws {ControlError} or `MockError`, which become Error objects in one place. */
  answer(context: ControlContext<Id>): Promise<ControlOutcome>
}

/**
 * What a route gives back, as the contract has it: a status with the JSON body as a value, or as `text` that is written
 * already; a status alone; or, where the body is no JSON, an outcome.
 */
export type ControlResult<Id extends ControlRouteId> = ToResult<ControlSuccess<Id>>

type ToResult<Success> = Success extends { readonly status: infer Status }
  ? Success extends { readonly json: infer Body }
    ?
        | { readonly status: Status; readonly body: DeepReadonly<Body> }
        | { readonly status: Status; readonly text: string | readonly Bytes[] }
    : Success extends { readonly text: string }
      ? ControlOutcome
      : { readonly status: Status }
  : never

/**
 * Defines what a route of `spec/control.openapi.yaml` does. Method, path and query parameters are the contract's.
 * @example
 * export const getDelay: ControlRoute<'getDelay'> = defineControlRoute('getDelay', ({ sandbox }) => ({
 *   status: 200,
 *   body: { delay: sandbox.delay ?? null },
 * }))
 */
export function defineControlRoute<Id extends ControlRouteId>(
  id: Id,
  answer: (context: ControlContext<Id>) => Awaitable<ControlResult<Id>>,
): ControlRoute<Id> {
  return { id, ...CONTROL_ROUTES[id], answer: async (context) => toOutcome(await answer(context)) }
}

function toOutcome(result: ControlOutcome | AnyResult): ControlOutcome {
  if ('type' in result) return result
  if ('text' in result) return createJsonResponse(result.status, result.text)
  if ('body' in result) return createJsonResponse(result.status, writeExactJson(result.body))
  return createEmptyResponse()
}

type AnyResult =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly text: string | readonly Bytes[] }
  | { readonly status: number }

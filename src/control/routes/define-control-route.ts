import type { Authenticator } from '../../auth/authenticator.ts'
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
import { type FetchOutcome, toFetchOutcome } from '../../http/outcome.ts'
import type { RoutePattern } from '../../http/router.ts'
import type { Awaitable, WireRequest } from '../../http/wire-request.ts'
import { createEmptyResponse, createJsonResponse, type WireResponse } from '../../http/wire-response.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import type { Clock } from '../../sandbox/clock.ts'
import type { Delay } from '../../sandbox/delay.ts'
import type { EventFeeds } from '../../sandbox/event-feed.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { Sandboxes } from '../../sandbox/sandboxes.ts'

/** The context in which a control route handles a request. */
export interface ControlContext<Id extends ControlRouteId = ControlRouteId> extends ControlParts {
  readonly request: WireRequest
  readonly route: Omit<ControlRoute, 'answer'>
  /** The decoded path parameters. */
  readonly params: ControlParams<Id>
  /** The query parameters. Unknown and repeated ones have been rejected. */
  readonly query: ControlQuery<Id>
  /** The sandbox named by `?sandbox=`, or the default one. */
  readonly sandbox: SandboxInternals
}

/** The part of the context that all control requests share. */
export interface ControlParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly sandboxes: Sandboxes
  readonly clock: Clock
  /** Saves the state; `undefined` if the mock has no state file. */
  readonly saveState: (() => Promise<void>) | undefined
  /** The base URLs of the service. */
  readonly bases: BaseUrls
  /** The mock's delay, for sandboxes without their own. */
  readonly delay: Delay
  readonly feeds: EventFeeds
  /** The memory limit that the bodies of all control requests share. */
  readonly uploads: ByteBudget
}

export type ControlOutcome = WireResponse | FetchOutcome

/** One route of the control API. */
export interface ControlRoute<Id extends ControlRouteId = ControlRouteId> extends RoutePattern {
  readonly id: Id
  /** The names of its query parameters. */
  readonly query: readonly string[]
  readonly hasBody: boolean
  /** @throws {ControlError} or `MockError`, which become error responses. */
  answer(context: ControlContext<Id>): Promise<ControlOutcome>
}

/**
 * The result of a route, as the contract defines it: a status with a JSON `body` or already serialized `text`, or with
 * `portions` of JSON that are written while the client reads them; only a status; or an outcome if the body is not JSON.
 */
type ControlResult<Id extends ControlRouteId> = ToResult<ControlSuccess<Id>>

type ToResult<Success> = Success extends { readonly status: infer Status }
  ? Success extends { readonly json: infer Body }
    ?
        | { readonly status: Status; readonly body: DeepReadonly<Body> }
        | { readonly status: Status; readonly text: string | readonly Bytes[] }
        | { readonly status: Status; readonly portions: Iterator<string> }
    : Success extends { readonly text: string }
      ? ControlOutcome
      : { readonly status: Status }
  : never

/**
 * Implements a route of `spec/control.openapi.yaml`. Its method, path and query parameters come from the contract.
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
  if ('portions' in result) return writePortions(result.status, result.portions)
  if ('body' in result) return createJsonResponse(result.status, writeExactJson(result.body))
  return createEmptyResponse()
}

type AnyResult =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly text: string | readonly Bytes[] }
  | { readonly status: number; readonly portions: Iterator<string> }
  | { readonly status: number }

/** In characters. */
const LARGEST_PORTION = 65_536

/** A client that does not read a long body costs only its next portion. */
function writePortions(status: number, portions: Iterator<string>): ControlOutcome {
  let portion: string | undefined = portions.next().value
  if (portion === undefined || portion.length < LARGEST_PORTION) return createJsonResponse(status, portion ?? '')
  const body = new ReadableStream<string>({
    pull(controller) {
      if (portion === undefined) return controller.close()
      controller.enqueue(portion)
      portion = portions.next().value
    },
  })
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return toFetchOutcome(new Response(body.pipeThrough(new TextEncoderStream()), { status, headers }))
}

/** A JSON document around a list, in portions. */
export function* writeList(
  items: Iterable<string>,
  { start, end }: { readonly start: string; readonly end: () => string },
): Generator<string, undefined> {
  let [portion, separator] = [start, '']
  for (const item of items) {
    portion += separator + item
    separator = ','
    if (portion.length < LARGEST_PORTION) continue
    yield portion
    portion = ''
  }
  yield portion + end()
}

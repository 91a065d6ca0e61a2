import type { Authenticator } from '../auth/authenticator.ts'
import type { BaseUrls } from '../http/base-url.ts'
import type { ByteBudget } from '../http/bytes.ts'
import type { ErrorCode } from '../http/error-response.ts'
import { type FetchOutcome, toFetchOutcome } from '../http/outcome.ts'
import type { Entries, Schema } from '../http/schema.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import type { Clock } from '../sandbox/clock.ts'
import type { Delay } from '../sandbox/delay.ts'
import type { EventFeeds } from '../sandbox/event-feed.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { BodyOf, ControlRoutes, ParamsOf, ResponseOf, RouteName } from './contract.ts'

/** The error that a control route responds with, and the `code` of its Error object. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
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

/** The context in which a control route handles a request. */
export interface ControlContext<Route extends RouteName> extends ControlParts {
  readonly request: WireRequest
  /** The decoded path parameters. */
  readonly params: ParamsOf<Route>
  /** The parsed query. */
  readonly query: ControlRoutes[Route] extends { query: infer Query } ? Query : object
  readonly body: BodyOf<Route>
  /** The sandbox named by `?sandbox=`, or the default one. */
  readonly sandbox: SandboxInternals
}

export type ControlOutcome = WireResponse | FetchOutcome

/** How a route of the contract parses its query and body, and what it does. */
export type RouteDefinition<Route extends RouteName> = {
  /**
   * Returns the value of the response's body, nothing for a 204, or an outcome.
   * @throws {ControlError} or `MockError`, which become error responses.
   */
  readonly answer: (context: ControlContext<Route>) => Awaitable<ControlOutcome | DeepReadonly<ResponseOf<Route>>>
} & (ControlRoutes[Route] extends { query: infer Query } ? { readonly query: Entries<Query> } : object) &
  (ControlRoutes[Route] extends { body: infer Body }
    ? {
        readonly body: Schema<Body>
        /** In bytes. */
        readonly limit?: number
      }
    : object) &
  (ControlRoutes[Route] extends { scope: infer Scope } ? { readonly scope: Scope } : object)

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T

/** The routes of a group of the contract. The compiler reports a missing one. */
export type RouteGroup<Group> = { readonly [Route in keyof Group & RouteName]: RouteDefinition<Route> }

/** In characters. */
const LARGEST_PORTION = 65_536

/** Writes JSON while the client reads it: a client that does not read a long body costs only its next portion. */
export function streamJson(pieces: Iterable<string>): ControlOutcome {
  const portions = joinPieces(pieces)
  const first = portions.next().value ?? ''
  if (first.length < LARGEST_PORTION) return createJsonResponse(200, first)
  let portion: string | undefined = first
  const body = new ReadableStream<string>(
    {
      pull(controller) {
        if (portion === undefined) return controller.close()
        controller.enqueue(portion)
        portion = portions.next().value
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return toFetchOutcome(new Response(body.pipeThrough(new TextEncoderStream()), { headers }))
}

function* joinPieces(pieces: Iterable<string>): Generator<string, undefined> {
  let portion = ''
  for (const piece of pieces) {
    portion += piece
    if (portion.length < LARGEST_PORTION) continue
    yield portion
    portion = ''
  }
  yield portion
}

/** The pieces of a JSON document around a list. */
export function* writeList(
  items: Iterable<string>,
  { start, end }: { readonly start: string; readonly end: () => string },
): Iterable<string> {
  yield start
  let separator = ''
  for (const item of items) {
    yield separator + item
    separator = ','
  }
  yield end()
}

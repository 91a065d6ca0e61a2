import * as v from 'valibot'
import type { Authenticator } from '../auth/authenticator.ts'
import type { Awaitable } from '../http/awaitable.ts'
import type { BaseUrls } from '../http/base-url.ts'
import type { ErrorCode } from '../http/error-response.ts'
import type { FetchOutcome } from '../http/outcome.ts'
import { type Entries, readAs, type Schema } from '../http/schema.ts'
import type { WireRequest } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Clock } from '../sandbox/clock.ts'
import type { Delay } from '../sandbox/delay.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'

/** The error that a control route responds with, and the `code` of its Error object. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export interface ControlParts {
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: Clock
  /** Saves the state; `undefined` if the mock has no state file. */
  readonly saveState: (() => Promise<void>) | undefined
  /** The base URLs of the service. */
  readonly bases: BaseUrls
  /** The mock's delay, for sandboxes without their own. */
  readonly delay: Delay
  /** The open event streams. */
  readonly streams: Set<object>
}

/** What a route is given; `ControlParts` are shared by all control requests. */
interface ControlContext<Name, Route> extends ControlParts {
  readonly request: WireRequest
  /** The decoded path parameters. */
  readonly params: ParamsOf<Name>
  /** The parsed query. */
  readonly query: PartOf<Route, 'query', object>
  readonly body: PartOf<Route, 'body', never>
  /** The sandbox named by `?sandbox=`, or the default one. Neither reading nor a reset creates it. */
  readonly sandbox: SandboxInternals
}

export type ControlOutcome = WireResponse | FetchOutcome

/** A part of a route's type: its `query`, `body` or `response`. */
export type PartOf<Route, Name extends string, Otherwise> = Route extends { readonly [Each in Name]: infer Part }
  ? Part
  : Otherwise

/** The parameters in the path of a route. */
export type ParamsOf<Name> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? { readonly [Each in Param]: string } & ParamsOf<Rest>
  : object

/**
 * What a route does, `answer`, and a schema for each part of its type: where the contract gives a route a `query` or a `body`,
 * the compiler asks for its schema, and refuses one where it gives none. @internal
 */
type RouteDefinition<Name, Route> = {
  /** Returns the value of the response's body, nothing for a 204, or an outcome. Errors become error responses. */
  readonly answer: (
    context: ControlContext<Name, Route>,
  ) => Awaitable<ControlOutcome | DeepReadonly<PartOf<Route, 'response', void>>>
} & QuerySchema<Route> &
  BodySchema<Route>

type QuerySchema<Route> = Route extends { query: infer Query } ? { readonly query: Entries<Query> } : object

/** `limit` is in bytes. */
type BodySchema<Route> = Route extends { body: infer Body }
  ? { readonly body: Schema<Body>; readonly limit?: number }
  : object

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T

/** What the routes of a group do. The compiler reports a missing one. @internal */
export type RouteGroup<Group> = { readonly [Name in keyof Group]: RouteDefinition<Name, Group[Name]> }

/** Reads a query parameter of this form. */
export function toNumber(form: RegExp): (text: unknown) => number | undefined {
  return (text) => (typeof text === 'string' && form.test(text) ? Number(text) : undefined)
}

/** Of a list that the query may cut. @internal */
export const LIMIT: Schema<number | undefined> = v.optional(
  readAs(toNumber(/^[1-9]\d{0,8}$/), 'an integer of 1 or more'),
)

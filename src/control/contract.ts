// Every route of the control API. Each group is a file with the types of its routes and what they do. From the types,
// `npm run generate` makes spec/control.openapi.yaml and the reference, and the client and the console have theirs.
//
// A docstring's first line is the summary of its route, and each `@example` of a route is a body. That of a type is an
// example of its values.

import type { ErrorCode } from '../http/error-response.ts'
import type { PetId } from '../inventory/pet.ts'
import type { PartOf } from './control-route.ts'
import type { MisbehaviourRoutes } from './fault-routes.ts'
import type { JournalRoutes } from './journal-routes.ts'
import type { MockRoutes } from './mock-routes.ts'
import type { SandboxesRoutes, SandboxName } from './sandbox-routes.ts'
import type { StateRoutes } from './state-routes.ts'

export type { ParamsOf } from './control-route.ts'
export type { DelaySetting } from './fault-routes.ts'
export type { Health } from './mock-routes.ts'

/** Every route of the control API, by its method and path. */
export interface ControlRoutes extends MockRoutes, StateRoutes, JournalRoutes, MisbehaviourRoutes, SandboxesRoutes {}

/** A path parameter, by its name. */
export interface PathParameters {
  /** The id of the pet, an int64 without leading zeros. */
  petId: PetId
  /**
   * The id of the fault.
   * @minimum 1
   */
  id: number
  /** The name of the sandbox. */
  name: SandboxName
}

/** An error response. */
export interface ErrorObject {
  /**
   * A 404 has `unknown_pet`, `unknown_fault` or `unknown_sandbox` if the pet, fault or sandbox does not exist, and
   * `not_found` if the route does not exist, for example because the control API is off.
   */
  readonly code: Exclude<ErrorCode, 'not_specified' | 'bad_gateway' | 'service_unavailable' | 'gateway_timeout'>
  readonly message: string
  /** The HTTP status code, repeated. */
  readonly status: number
}

/** The method and path of a route: `GET /state`. */
export type RouteName = keyof ControlRoutes

/** The JSON of a successful response; `undefined` if it has none. */
export type ResponseOf<Route extends RouteName> = PartOf<ControlRoutes[Route], 'response', undefined>

/** `null` if the resource in the path of a route may not exist. */
export type MissingOf<Route extends RouteName> = ControlRoutes[Route] extends { errors: 404 } ? null : never

/** The JSON body of a request; `never` if the route has none. */
export type BodyOf<Route extends RouteName> = PartOf<ControlRoutes[Route], 'body', never>

/** The query of a route, as in its URL. */
export type QueryOf<Route extends RouteName> = {
  readonly [Name in keyof PartOf<ControlRoutes[Route], 'query', object>]?: string
}

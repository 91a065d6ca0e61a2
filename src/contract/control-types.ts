import type { components, operations } from './control.gen.ts'
import type { CONTROL_ROUTES } from './control-routes.gen.ts'

/** The operationId of a route of the control API. */
export type ControlRouteId = keyof typeof CONTROL_ROUTES

/** The operationIds by method and path: `GET /state`. */
export type ControlRouteIds = {
  [Id in ControlRouteId as `${(typeof CONTROL_ROUTES)[Id]['method']} ${(typeof CONTROL_ROUTES)[Id]['path']}`]: Id
}

/** The schemas of the control API, by name. */
export type ControlSchemas = components['schemas']

/** The path parameters of a route, as strings. */
export type ControlParams<Id extends ControlRouteId> = {
  readonly [Name in NameIn<(typeof CONTROL_ROUTES)[Id]['path']>]: string
}

/** The query parameters of a route, as strings. */
export type ControlQuery<Id extends ControlRouteId> = {
  readonly [Name in (typeof CONTROL_ROUTES)[Id]['query'][number]]?: string
}

/** The JSON body of a request; `never` if the route has none. */
export type ControlBody<Id extends ControlRouteId> = operations[Id] extends { requestBody: JsonContent<infer Body> }
  ? DeepReadonly<Body>
  : never

/** A successful response: its status, with `json` for a JSON body or `text` for another media type. */
export type ControlSuccess<Id extends ControlRouteId> = {
  [Status in SuccessStatus<Id>]: { readonly status: Status } & ContentOf<ResponsesOf<Id>[Status]>
}[SuccessStatus<Id>]

/** The JSON of a successful response; `undefined` if it has none. */
export type ControlJson<Id extends ControlRouteId> = JsonOf<ControlSuccess<Id>>

type ResponsesOf<Id extends ControlRouteId> = operations[Id]['responses']
type SuccessStatus<Id extends ControlRouteId> = keyof ResponsesOf<Id> & (200 | 201 | 204)
type ContentOf<Response> =
  Response extends JsonContent<infer Body>
    ? { readonly json: Body }
    : Response extends { content: object }
      ? { readonly text: string }
      : object
type JsonOf<Success> = Success extends { json: infer Body } ? Body : undefined
type JsonContent<Body> = { content: { 'application/json': Body } }
type NameIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never

/** Makes a generated type deeply read-only, so that the mock's own read-only values are assignable to it. */
export type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T

import * as v from 'valibot'
import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { Awaitable } from '../http/awaitable.ts'
import { CONTROL_PATH } from '../http/control-path.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { writeExactJson } from '../http/exact-json.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { createRouter, type RoutePattern, refuseMethod } from '../http/router.ts'
import { object, type Schema, string } from '../http/schema.ts'
import type { WireRequest } from '../http/wire-request.ts'
import { createJsonResponse, createResponse } from '../http/wire-response.ts'
import { toPetKey } from '../inventory/pet.ts'
import type { ControlRoutes } from './contract.ts'
import { ControlError, type ControlOutcome, type ControlParts, type RouteGroup } from './control-route.ts'
import { faultRoutes } from './fault-routes.ts'
import { journalRoutes } from './journal-routes.ts'
import { mockRoutes } from './mock-routes.ts'
import { NO_BODY, parseRequest, readJson } from './read-body.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { stateRoutes } from './state-routes.ts'

/** The compiler reports a route that the contract lacks, or one that is missing here. */
const ROUTES: RouteGroup<ControlRoutes> = {
  ...mockRoutes,
  ...stateRoutes,
  ...journalRoutes,
  ...faultRoutes,
  ...sandboxRoutes,
}

/** One route of the control API, as the router and the reader of requests see it. */
interface ControlRoute extends RoutePattern {
  /** The schema of each query parameter. */
  readonly parameters: Readonly<Record<string, Schema<unknown>>>
  /** `undefined` if the route takes no body. */
  readonly body?: Schema<unknown>
  readonly limit?: number
  answer(context: object): Awaitable<unknown>
}

type Row = Pick<ControlRoute, 'body' | 'limit' | 'answer'> & {
  readonly query?: ControlRoute['parameters']
}

/** Every route of the control API. @internal */
export const ROUTE_LIST: readonly ControlRoute[] = Object.entries(ROUTES as Readonly<Record<string, Row>>).map(
  ([name, { query, ...row }]) => {
    const [method = '', path = ''] = name.split(' ')
    return { ...row, method, path, parameters: { sandbox: v.optional(string), ...query } }
  },
)
const matchRoute = createRouter(ROUTE_LIST)

/** Handles a request to the control API, which offers a sandbox's controls over HTTP. */
export async function answerControl(request: WireRequest, parts: ControlParts): Promise<ControlOutcome> {
  const { path } = request
  const match = matchRoute(request.method, path.slice(CONTROL_PATH.length))
  if (match.kind === 'unknown') {
    return createErrorResponse('not_found', `There is no control route ${request.method} ${hideInAddress(path)}`)
  }
  if (match.kind === 'wrong-method') return refuseMethod(request, match.allow)
  const { route, params } = match
  try {
    assertKnownKey(request, parts)
    const schema = object<Record<string, unknown>>(route.parameters)
    const parameters = Object.fromEntries(request.url.searchParams)
    const { sandbox: name = DEFAULT_SANDBOX, ...query } = parseRequest(schema, parameters, 'The query')
    if (params['petId'] !== undefined) toPetKey(params['petId'])
    const given = await readJson(request, route.limit)
    const body = parseRequest(route.body ?? NO_BODY, given, 'The body')
    assertSandboxName(name)
    const isCreated = route.method !== 'GET' && route.path !== '/reset'
    const context = {
      ...parts,
      request,
      params,
      query,
      body,
      // A route of the whole mock does not open it, which could evict another one.
      get sandbox() {
        return isCreated ? parts.sandboxes.open(name) : parts.sandboxes.look(name)
      },
    }
    return toOutcome(await route.answer(context))
  } catch (error) {
    if (error instanceof ControlError) return createErrorResponse(error.code, error.message)
    if (!(error instanceof MockError)) throw error
    return createErrorResponse(error.code === 'STATE_SAVE' ? 'internal_error' : 'invalid_request', error.message)
  }
}

/** Checks the API key that a client uses for the service: a wrong one would otherwise only show in the service's 401s. */
function assertKnownKey(request: WireRequest, { authenticator }: ControlParts): void {
  const key = request.header('x-mock-api-key')
  const kind = key === undefined ? 'valid' : authenticator.authenticate(`Bearer ${key}`).kind
  if (kind === 'valid') return
  throw new ControlError('unauthorized', 'The mock does not know this API key. Pass one of its keys as apiKey')
}

function toOutcome(result: unknown): ControlOutcome {
  if (result === undefined) return createResponse(204, '', {})
  // No body of the contract has a `type`.
  if (Object.hasOwn(Object(result), 'type')) return result as ControlOutcome
  return createJsonResponse(200, writeExactJson(result))
}

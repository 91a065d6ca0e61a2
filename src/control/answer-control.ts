import { DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { ControlRouteId } from '../contract/control-types.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { CONTROL_PATH, createRouter, refuseMethod } from '../http/router.ts'
import { explainUnknown } from '../http/suggest.ts'
import type { WireRequest } from '../http/wire-request.ts'
import { changeClock, getClock } from './routes/clock.ts'
import { ControlError } from './routes/control-error.ts'
import type { ControlContext, ControlOutcome, ControlParts, ControlRoute } from './routes/define-control-route.ts'
import { getDelay, setDelay } from './routes/delay.ts'
import { getEvents } from './routes/events.ts'
import { addFault, clearFaults, listFaults, removeFault } from './routes/faults.ts'
import { listFixtures, loadFixture } from './routes/fixtures.ts'
import { getHealth } from './routes/health.ts'
import { clearJournal, getJournal } from './routes/journal.ts'
import { changeKeys } from './routes/keys.ts'
import { deletePet, findPets, getPetState, putPet } from './routes/pets.ts'
import { assertNoBody } from './routes/refuse-body.ts'
import { deleteSandbox, listSandboxes } from './routes/sandboxes.ts'
import { getControlDocument, getServiceDocument, getServiceDocumentYaml } from './routes/specification.ts'
import { getState, replaceState, reset, saveState } from './routes/state.ts'

/** The compiler reports a route that the contract lacks, or one that is missing here. */
const ROUTES: { readonly [Id in ControlRouteId]: ControlRoute<Id> } = {
  getHealth,
  getState,
  replaceState,
  saveState,
  reset,
  listFixtures,
  loadFixture,
  findPets,
  getPetState,
  putPet,
  deletePet,
  getJournal,
  clearJournal,
  listFaults,
  addFault,
  clearFaults,
  removeFault,
  getDelay,
  setDelay,
  getClock,
  changeClock,
  changeKeys,
  listSandboxes,
  deleteSandbox,
  getEvents,
  getServiceDocument,
  getServiceDocumentYaml,
  getControlDocument,
}
/** Every route of the control API. @internal */
export const ROUTE_LIST: readonly ControlRoute[] = Object.values(ROUTES)
const matchRoute = createRouter(ROUTE_LIST)

/** Handles a request to the control API, which offers a sandbox's controls over HTTP. */
export async function answerControl(request: WireRequest, parts: ControlParts): Promise<ControlOutcome> {
  const { path, url } = request
  const match = matchRoute(request.method, path.slice(CONTROL_PATH.length))
  if (match.kind === 'unknown') {
    return createErrorResponse('not_found', `There is no control route ${request.method} ${hideInAddress(path)}`)
  }
  if (match.kind === 'wrong-method') return refuseMethod(request, match.allow)
  const { route, params } = match
  try {
    assertKnownKey(request, parts)
    const query = readQuery(url.searchParams, route.query)
    if (!route.hasBody) await assertNoBody({ request, route })
    const sandbox = parts.sandboxes.open(query['sandbox'] ?? DEFAULT_SANDBOX)
    const outcome = await route.answer({
      ...parts,
      request,
      route,
      params: params as ControlContext['params'],
      query,
      sandbox,
    })
    sandbox.account.update()
    return outcome
  } catch (error) {
    if (error instanceof ControlError) return createErrorResponse(error.code, error.message)
    if (error instanceof MockError) return createErrorResponse('invalid_request', error.message)
    throw error
  }
}

/**
 * Checks the API key that a client uses for the service, if it sends one. Otherwise, a wrong key would only show in the
 * 401s of the service. A revoked key is known: it still tells its sandbox.
 */
function assertKnownKey(request: WireRequest, { authenticator }: ControlParts): void {
  const key = request.header('x-mock-api-key')
  if (key === undefined || 'sandbox' in authenticator.authenticate(`Bearer ${key}`)) return
  throw new ControlError('unauthorized', 'The mock does not know this API key. Pass one of its keys as apiKey')
}

/** Rejects unknown parameters: a misspelled `?sandbox=` would silently act on the default sandbox. */
function readQuery(given: URLSearchParams, known: readonly string[]): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  for (const [name, text] of given) {
    if (!known.includes(name)) throw new ControlError('invalid_request', `${cut(name)} ${explainUnknown(name, known)}`)
    if (Object.hasOwn(query, name)) throw new ControlError('invalid_request', `${name} is given twice. Give it once.`)
    query[name] = text
  }
  return query
}

import { DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import { explainUnknown } from '../http/assert-known.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { CONTROL_PATH, createRouter, refuseMethod } from '../http/router.ts'
import type { WireRequest } from '../http/wire-request.ts'
import { ControlError } from './routes/control-error.ts'
import type { ControlContext, ControlOutcome, ControlRoute } from './routes/control-route.ts'
import { getDelay, setDelay } from './routes/delay.ts'
import { getEvents } from './routes/events.ts'
import { addFault, clearFaults, listFaults, removeFault } from './routes/faults.ts'
import { listFixtures, loadFixture } from './routes/fixtures.ts'
import { health } from './routes/health.ts'
import { clearJournal, getJournal } from './routes/journal.ts'
import { getMetrics } from './routes/metrics.ts'
import { deletePet, findPets, getPet, putPet } from './routes/pets.ts'
import { deleteSandbox, listSandboxes } from './routes/sandboxes.ts'
import { controlDocument, specificationJson, specificationYaml } from './routes/specification.ts'
import { getState, replaceState, reset, saveState as saveStateRoute } from './routes/state.ts'

const ROUTES: readonly ControlRoute[] = [
  health,
  getState,
  replaceState,
  saveStateRoute,
  reset,
  listFixtures,
  loadFixture,
  findPets,
  getPet,
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
  listSandboxes,
  deleteSandbox,
  getEvents,
  getMetrics,
  specificationJson,
  specificationYaml,
  controlDocument,
]
const toRoute = createRouter(ROUTES)

/** What all control routes have at hand. */
export type ControlParts = Omit<ControlContext, 'call' | 'params' | 'sandbox'>

/** The control API over HTTP: the controls of a sandbox for those who have no hand on the mock itself. */
export async function answerControl(call: WireRequest, parts: ControlParts): Promise<ControlOutcome> {
  const { path } = call
  const { searchParams } = call.url
  const match = toRoute(call.method, path.slice(CONTROL_PATH.length))
  if (match.kind === 'unknown') {
    return createErrorResponse('not_found', `There is no control route ${call.method} ${hideInAddress(path)}`)
  }
  if (match.kind === 'wrong-method') return refuseMethod(call, match.allow)
  try {
    assertQuery(searchParams, match.route)
    const sandbox = parts.sandboxes.open(searchParams.get('sandbox') ?? DEFAULT_SANDBOX)
    const outcome = await match.route.answer({ call, params: match.params, sandbox, ...parts })
    sandbox.account.update()
    return outcome
  } catch (error) {
    if (error instanceof ControlError) return createErrorResponse(error.code, error.message)
    if (error instanceof MockError) return createErrorResponse('invalid_request', error.message)
    throw error
  }
}

/** A misspelt `?sandbox=` would act on the default sandbox. */
function assertQuery(query: URLSearchParams, { query: own = [] }: ControlRoute): void {
  const known = ['sandbox', ...own]
  const names = [...query.keys()]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ControlError('invalid_request', explainUnknown(unknown, known))
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new ControlError('invalid_request', `${repeated} is given twice. Give it once.`)
}

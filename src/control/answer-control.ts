import type { Answer } from '../contract/answer.ts'
import type { Call } from '../contract/call.ts'
import { createErrorAnswer } from '../contract/error-answer.ts'
import { MockError } from '../contract/mock-error.ts'
import { createPathMatcher } from '../contract/path-template.ts'
import { DEFAULT_SANDBOX } from '../inventory/sandbox-name.ts'
import { ControlError } from './routes/control-error.ts'
import type { ControlContext, ControlRoute } from './routes/control-route.ts'
import { addFault, clearFaults, listFaults, removeFault } from './routes/faults.ts'
import { listFixtures, loadFixture } from './routes/fixtures.ts'
import { health } from './routes/health.ts'
import { clearJournal, getJournal } from './routes/journal.ts'
import { deletePet, putPet } from './routes/pets.ts'
import { deleteSandbox, listSandboxes } from './routes/sandboxes.ts'
import { specificationJson, specificationYaml } from './routes/specification.ts'
import { getState, replaceState, reset, saveState as saveStateRoute } from './routes/state.ts'

/** Where the control API lies, beside the service's base path. */
export const CONTROL_PATH = '/_mock'

const ROUTES: readonly ControlRoute[] = [
  health,
  getState,
  replaceState,
  saveStateRoute,
  reset,
  listFixtures,
  loadFixture,
  putPet,
  deletePet,
  getJournal,
  clearJournal,
  listFaults,
  addFault,
  clearFaults,
  removeFault,
  listSandboxes,
  deleteSandbox,
  specificationJson,
  specificationYaml,
]
const TABLE = ROUTES.map((route) => ({ route, match: createPathMatcher(CONTROL_PATH + route.path) }))

export function isControlPath(pathname: string): boolean {
  return pathname === CONTROL_PATH || pathname.startsWith(`${CONTROL_PATH}/`)
}

type ControlParts = Pick<ControlContext, 'sandboxes' | 'saveState'>

/** The control API over HTTP: the controls of a sandbox for those who have no hand on the mock itself. */
export async function answerControl(call: Call, { sandboxes, saveState }: ControlParts): Promise<Answer> {
  const { pathname, searchParams } = call.url
  const matches = TABLE.flatMap(({ route, match }) => {
    const params = match(pathname)
    return params === undefined ? [] : [{ route, params }]
  })
  if (matches.length === 0)
    return createErrorAnswer('not_found', `There is no control route ${call.method} ${pathname}`)
  const method = call.method === 'HEAD' ? 'GET' : call.method
  const found = matches.find(({ route }) => route.method === method)
  if (found === undefined) return refuseMethod(call, matches)
  try {
    const sandbox = sandboxes.open(searchParams.get('sandbox') ?? DEFAULT_SANDBOX)
    return await found.route.answer({ call, params: found.params, sandbox, sandboxes, saveState })
  } catch (error) {
    if (error instanceof ControlError) return createErrorAnswer(error.code, error.message)
    if (error instanceof MockError) return createErrorAnswer('invalid_request', error.message)
    throw error
  }
}

function refuseMethod({ method, url }: Call, matches: readonly { route: ControlRoute }[]): Answer {
  const allow = matches.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ')
  return createErrorAnswer('method_not_allowed', `${method} is not allowed on ${url.pathname}. Allowed: ${allow}`, {
    allow,
  })
}

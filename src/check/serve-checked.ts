import { toPathBelow } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { type ConnectionFault, type Outcome, withHeaders } from '../http/outcome.ts'
import type { WireRequest } from '../http/wire-request.ts'
import { toResponse } from '../http/wire-response.ts'
import { type ContractOperation, matchOperation } from '../operations/operations.ts'
import type { ServeOptions } from '../runtimes/server/serve-options.ts'
import { type RunningServer, serveRequests } from '../runtimes/server/serve-requests.ts'
import { type Mock, type MockService, toService } from '../service/mock.ts'
import { createSlViolation, type Judge, loadJudge, type SlViolation } from './prism.ts'

/** Options of `serveChecked`. */
interface CheckedServeOptions extends ServeOptions {
  /** Called for every response that violates the specification, before it is sent. */
  readonly onViolation: (violation: Violation) => void
}

/** A response that violates the specification. */
export interface Violation {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  /** The violations, as sentences. */
  readonly violations: readonly string[]
}

/**
 * Serves a mock like `serve`, and lets Prism check every response of a specified operation. A response that violates the
 * specification is reported and gets the header `sl-violations` in Prism's format. Responses are not changed otherwise.
 * @throws {MockError} `CHECK_UNAVAILABLE` without Prism; `SERVER_START`
 * @example
 * const server = await serveChecked(createMock(), { onViolation: (violation) => console.error(violation) })
 */
export async function serveChecked(
  mock: Mock,
  { onViolation, ...options }: CheckedServeOptions,
): Promise<RunningServer> {
  const service = toService(mock)
  const judge = await loadJudge()
  const answer = (request: WireRequest): Promise<Outcome> => answerChecked(request, { service, judge, onViolation })
  return serveRequests({ ...service, answer }, options)
}

async function answerChecked(
  request: WireRequest,
  { service, judge, onViolation }: Pick<CheckedServeOptions, 'onViolation'> & { service: MockService; judge: Judge },
): Promise<Outcome> {
  const outcome = await service.answer(request)
  const operation = findOperation(service, request)
  if (operation === undefined || outcome.type === 'connection-fault') return outcome
  const { status, found } = await judgeOutcome(judge, { operation, outcome })
  if (found.length === 0) return outcome
  onViolation({
    method: request.method,
    path: hideInAddress(request.path),
    status,
    violations: found.map(({ message }) => message),
  })
  return withHeaders(outcome, { 'sl-violations': toSlViolationsHeader(found) })
}

/** The operation of a request. `HEAD` has none, because the specification lacks it and there is no body to judge. */
function findOperation({ bases }: MockService, { method, path }: WireRequest): ContractOperation | undefined {
  if (method === 'HEAD') return undefined
  const route = matchOperation(method, toPathBelow(bases, path))
  return route.kind === 'found' ? route.route : undefined
}

/** Reports a response that could not be judged too, because a skipped check must not look like a pass. */
async function judgeOutcome(
  judge: Judge,
  { operation, outcome }: { operation: ContractOperation; outcome: Exclude<Outcome, ConnectionFault> },
): Promise<{ status: number; found: readonly SlViolation[] }> {
  const { status } = outcome.type === 'response' ? outcome : outcome.response
  try {
    const response = outcome.type === 'response' ? toResponse(outcome, 'GET') : outcome.response.clone()
    const contentType = response.headers.get('content-type') ?? undefined
    const body = new Uint8Array(await response.arrayBuffer())
    return { status, found: judge({ operation, status, contentType, body }) }
  } catch (error) {
    return { status, found: [createSlViolation([], `The response was not checked: ${error}`)] }
  }
}

/** The value of the header, as JSON in ASCII. */
function toSlViolationsHeader(violations: readonly SlViolation[]): string {
  return JSON.stringify(violations).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

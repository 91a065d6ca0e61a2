import { toPathBelow } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import type { Outcome } from '../http/outcome.ts'
import type { WireRequest } from '../http/wire-request.ts'
import { toResponse } from '../http/wire-response.ts'
import { type ContractOperation, matchOperation } from '../operations/operations.ts'
import type { ServeOptions } from '../runtimes/server/serve-options.ts'
import { type RunningServer, serveRequests } from '../runtimes/server/serve-requests.ts'
import { type Mock, type MockService, toService } from '../service/mock.ts'
import { type Judge, loadJudge } from './prism.ts'

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
 * specification is reported. No response is changed.
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
  const { method, path } = request
  // HEAD belongs to no operation, because the specification lacks it and there is no body to judge.
  const route = method === 'HEAD' ? undefined : matchOperation(method, toPathBelow(service.bases, path))
  if (route?.kind !== 'found' || outcome.type === 'connection-fault') return outcome
  const response = outcome.type === 'response' ? toResponse(outcome, 'GET') : outcome.response.clone()
  const { status } = response
  const violations = await judgeBody(response, { operation: route.route, judge })
  if (violations.length > 0) onViolation({ method, path: hideInAddress(path), status, violations })
  return outcome
}

/** Reports a response that could not be judged too, because a skipped check must not look like a pass. */
async function judgeBody(
  response: Response,
  { operation, judge }: { operation: ContractOperation; judge: Judge },
): Promise<readonly string[]> {
  const { status, headers } = response
  try {
    const body = new Uint8Array(await response.arrayBuffer())
    return judge({ operation, status, headers, body }).map(({ message }) => message)
  } catch (error) {
    return [`The response was not checked: ${error}`]
  }
}

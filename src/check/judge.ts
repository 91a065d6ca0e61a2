import { MockError } from '../http/mock-error.ts'
import type { ContractOperation } from '../operations/define-operation.ts'
import { findEnvelopeViolation, findErrorViolation, isListed, type JudgedAnswer } from './contract-rules.ts'
import { parseSlViolations } from './prism/parse-sl-violations.ts'
import { EXCHANGE_ID, type ReplayServer, startReplayServer } from './prism/replay-server.ts'
import { type RunningPrism, startPrism } from './prism/start-prism.ts'
import { toPrismBody } from './prism/to-prism-body.ts'
import { createSlViolation, type SlViolation } from './sl-violation.ts'

/** Checks responses against the specification. */
export interface Judge extends AsyncDisposable {
  /**
   * Returns how a response violates the specification.
   * @throws {MockError} `CHECK_FAILED` if Prism gives no verdict.
   */
  judge(answer: JudgedAnswer): Promise<readonly SlViolation[]>
  close(): Promise<void>
}

/** Accepts every response. For runs that compare responses instead of judging them. */
export const LENIENT_JUDGE: Judge = {
  judge: async () => [],
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

const VERDICT_LIMIT_MS = 10_000

/** The problem with which Prism itself responds if it cannot parse the response. */
const UNREADABLE = /^\{"type":"FetchError","title":"invalid json response body at \S+ reason: ((?:[^"\\]|\\.)*)"/

/**
 * Starts a judge: Prism's validation proxy in front of a server that replays the responses to judge.
 *
 * Prism is not between client and service, because it would change what clients see: it hangs on a request whose body is
 * not JSON, crashes on a path like `/%`, writes `5.0` as `5`, rounds ids beyond ±(2^53−1), and follows redirects. The
 * service is called directly instead, and Prism gets the response to a plain request for the same operation. Requests are
 * not judged, because tests send invalid ones on purpose.
 * @throws {MockError} `CHECK_UNAVAILABLE` or `CHECK_FAILED`
 */
export async function startJudge(signal?: AbortSignal): Promise<Judge> {
  const replay = await startReplayServer()
  const prism = await startPrism({ upstream: replay.url, signal }).catch(async (error: unknown) => {
    await replay.close()
    throw error
  })
  const close = async (): Promise<void> => {
    await Promise.all([prism.close(), replay.close()])
  }
  return { judge: (answer) => judge(answer, { prism, replay }), close, [Symbol.asyncDispose]: close }
}

async function judge(
  answer: JudgedAnswer,
  { prism, replay }: { prism: RunningPrism; replay: ReplayServer },
): Promise<readonly SlViolation[]> {
  const envelope = findEnvelopeViolation(answer)
  if (envelope !== undefined) return [envelope]
  if (!isListed(answer)) return []
  const id = replay.remember({
    status: answer.status,
    contentType: 'application/json',
    body: toPrismBody(answer.body),
  })
  const violations = await askPrism(prism, { operation: answer.operation, id }).finally(() => replay.forget(id))
  if (violations.length > 0) return violations
  const error = findErrorViolation(answer)
  return error === undefined ? [] : [error]
}

async function askPrism(
  prism: RunningPrism,
  { operation, id }: { operation: ContractOperation; id: string },
): Promise<readonly SlViolation[]> {
  const url = prism.url + operation.path.replaceAll(/\{\w+\}/g, '1')
  const ask = (): Promise<Response> =>
    fetch(url, {
      method: operation.method,
      headers: { [EXCHANGE_ID]: id },
      signal: AbortSignal.timeout(VERDICT_LIMIT_MS),
    })
  // Retries once, because Prism closes connections after five idle seconds, which may be just when one is reused.
  const response = await ask().catch(ask).catch(refuse)
  const body = await response.text().catch(refuse)
  if (response.headers.get(EXCHANGE_ID) === id) return parseSlViolations(response.headers.get('sl-violations'))
  const fault = UNREADABLE.exec(body)?.[1] ?? refuse(body)
  return [createSlViolation(['body'], `Response body cannot be read as JSON: ${JSON.parse(`"${fault}"`)}`)]
}

function refuse(cause: unknown): never {
  throw new MockError('CHECK_FAILED', `Failed to check a response: Prism gave no verdict (${cause}).`, { cause })
}

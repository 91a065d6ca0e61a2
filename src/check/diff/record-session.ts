import { NoAnswer } from '../conformance/ask.ts'
import type { CheckSession } from '../conformance/check-session.ts'
import type { CheckRequest, Exchange } from '../conformance/exchange.ts'

/** A request of a case, and what became of it. */
export interface RecordedExchange {
  readonly request: CheckRequest
  /** `undefined` if only the body is known, or if there is none. */
  readonly response: Pick<Exchange, 'status' | 'headers' | 'json'> | undefined
  /** Why there is no response. */
  readonly failure?: string
}

/** A session that records its exchanges. */
export interface RecordingSession {
  readonly session: CheckSession
  readonly exchanges: readonly RecordedExchange[]
}

const LIST: CheckRequest = { operation: 'listInventory' }

/** @param parts Members to replace. */
export function recordSession(inner: CheckSession, parts: Partial<CheckSession> = {}): RecordingSession {
  const exchanges: RecordedExchange[] = []
  async function record<Result>(
    request: CheckRequest,
    { ask, toResponse }: { ask: () => Promise<Result>; toResponse: (result: Result) => RecordedExchange['response'] },
  ): Promise<Result> {
    try {
      const result = await ask()
      exchanges.push({ request, response: toResponse(result) })
      return result
    } catch (error) {
      if (error instanceof NoAnswer) exchanges.push({ request, response: undefined, failure: error.message })
      throw error
    }
  }
  const session: CheckSession = {
    ...inner,
    ...parts,
    send: (request) => record(request, { ask: () => inner.send(request), toResponse: (response) => response }),
    // The status of this request is not part of the session.
    list: () =>
      record(LIST, {
        ask: () => inner.list(),
        toResponse: (json) => ({ status: 200, headers: new Headers(), json }),
      }),
  }
  return { session, exchanges }
}

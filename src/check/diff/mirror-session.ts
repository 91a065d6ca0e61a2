import { NoAnswer } from '../conformance/ask.ts'
import type { CheckSession } from '../conformance/check-session.ts'
import { type CheckRequest, type CheckTarget, type Exchange, exchange } from '../conformance/exchange.ts'

/** The response to a request, or why there is none. */
export type MirroredResponse = Pick<Exchange, 'status' | 'headers' | 'json'> | { readonly failure: string }

/** A request with the responses of the mock and of the service. */
export interface MirroredExchange {
  readonly request: CheckRequest
  readonly ours: MirroredResponse
  readonly theirs: MirroredResponse
}

/** A session with a service, whose requests go to a mock too. */
interface MirroredSession {
  readonly session: CheckSession
  readonly exchanges: readonly MirroredExchange[]
}

const LIST: CheckRequest = { operation: 'listInventory' }

/** Sends every request of a session to the mock, too. */
export function mirrorSession(session: CheckSession, mock: CheckTarget): MirroredSession {
  const exchanges: MirroredExchange[] = []

  async function mirror<Result>(
    request: CheckRequest,
    { ask, toResponse }: { ask: () => Promise<Result>; toResponse: (result: Result) => MirroredResponse },
  ): Promise<Result> {
    const ours = await exchange(mock, withKeyOf(mock, { request, apiKey: session.apiKey })).catch(toFailure)
    try {
      const result = await ask()
      exchanges.push({ request, ours, theirs: toResponse(result) })
      return result
    } catch (error) {
      exchanges.push({ request, ours, theirs: toFailure(error) })
      throw error
    }
  }

  const mirrored: CheckSession = {
    ...session,
    send: (request) => mirror(request, { ask: () => session.send(request), toResponse: (response) => response }),
    // A session keeps only the body of this response.
    list: () =>
      mirror(LIST, {
        ask: () => session.list(),
        toResponse: (json) =>
          Array.isArray(json)
            ? { status: 200, headers: new Headers(), json }
            : { failure: 'the list could not be read' },
      }),
  }
  return { session: mirrored, exchanges }
}

/** @throws any other error than `NoAnswer` */
function toFailure(error: unknown): { readonly failure: string } {
  if (!(error instanceof NoAnswer)) throw error
  return { failure: error.message }
}

/** The valid key becomes that of the mock, which may not even accept the form of the service's key. */
function withKeyOf(
  mock: CheckTarget,
  { request, apiKey }: { readonly request: CheckRequest; readonly apiKey: string },
): CheckRequest {
  const { authorization } = request
  if (typeof authorization !== 'string') return request
  const [basic, own] = [apiKey, mock.apiKey].map((key) => Buffer.from(`${key}:`).toString('base64')) as [string, string]
  return { ...request, authorization: authorization.replace(apiKey, () => mock.apiKey).replace(basic, () => own) }
}

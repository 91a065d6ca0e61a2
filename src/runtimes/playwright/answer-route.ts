import type { Request as PageRequest, Route } from '@playwright/test'
import { answerPreflight, CORS_HEADERS, isPreflight, wantsCors } from '../../http/cors.ts'
import { assertNever, type ConnectionFault, type Outcome, toBeginning } from '../../http/outcome.ts'
import { isControlPath } from '../../http/router.ts'
import { waitForAbort } from '../../http/to-fetch-result.ts'
import { toWireRequest, type WireRequest } from '../../http/wire-request.ts'
import { isBodiless } from '../../http/wire-response.ts'
import type { MockService } from '../../service/mock-service.ts'

/** A request that Playwright has paused. */
interface RoutedRequest {
  readonly route: Route
  readonly request: PageRequest
  /** Aborts when the page cancels the request. */
  readonly signal: AbortSignal
}

/** Answers one request like the server would. */
export async function answerRoute(
  service: Pick<MockService, 'answer'>,
  { route, request: pageRequest, signal }: RoutedRequest,
): Promise<void> {
  const request = toWireRequest(toRequest(pageRequest, signal))
  const isService = !isControlPath(request.path)
  try {
    // Playwright itself answers Chromium's preflights.
    const outcome = isService && isPreflight(request) ? answerPreflight(request) : await service.answer(request)
    await fulfil(outcome, { route, request, headers: isService && wantsCors(request) ? CORS_HEADERS : {} })
  } catch (error) {
    // The page has cancelled the request, or is closed.
    await route.abort('aborted').catch(() => {})
    if (!signal.aborted) throw error
  }
}

function toRequest(request: PageRequest, signal: AbortSignal): Request {
  const body = request.postDataBuffer()
  return new Request(request.url(), {
    method: request.method(),
    headers: request.headers(),
    signal,
    ...(body !== null && { body: new Uint8Array(body) }),
  })
}

interface Fulfilment {
  readonly route: Route
  readonly request: WireRequest
  /** Added to the headers of the response. */
  readonly headers: Readonly<Record<string, string>>
}

async function fulfil(outcome: Outcome, { route, request, headers }: Fulfilment): Promise<void> {
  switch (outcome.type) {
    case 'response': {
      const body = isBodiless(outcome, request.method) ? '' : Buffer.concat(outcome.body)
      return route.fulfill({ status: outcome.status, headers: { ...outcome.headers, ...headers }, body })
    }
    case 'fetch-response':
      return fulfilResponse(outcome.response, { route, request, headers })
    case 'connection-fault':
      return breakRoute(outcome, { route, request, headers })
    default:
      return assertNever(outcome)
  }
}

/** Simulates what the page would see of a broken connection, as far as Playwright can. */
async function breakRoute(fault: ConnectionFault, { route, request, headers }: Fulfilment): Promise<void> {
  switch (fault.kind) {
    case 'truncated': {
      const { status, headers: own } = fault.response
      return route.fulfill({ status, headers: { ...own, ...headers }, body: Buffer.from(toBeginning(fault.response)) })
    }
    case 'timeout':
      await waitForAbort(AbortSignal.any([request.signal(), fault.released]))
      return route.abort(ABORT_CODES.timeout)
    case 'network':
    case 'reset':
      return route.abort(ABORT_CODES[fault.kind])
    default:
      return assertNever(fault)
  }
}

const ABORT_CODES = { network: 'connectionclosed', reset: 'connectionreset', timeout: 'timedout' } as const

/** A response from a user handler, or an event stream. */
async function fulfilResponse(response: Response, { route, request, headers }: Fulfilment): Promise<void> {
  const body = response.body?.pipeThrough(new TransformStream(), { signal: request.signal() })
  const content = Buffer.from(await new Response(body).arrayBuffer())
  const cookies = response.headers.getSetCookie()
  const own = {
    ...Object.fromEntries(response.headers),
    // Playwright expects repeated headers as one value with line breaks.
    ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }),
  }
  return route.fulfill({ status: response.status, headers: { ...own, ...headers }, body: content })
}

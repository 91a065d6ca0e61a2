import type { Request as PageRequest, Route } from '@playwright/test'
import { isControlPath } from '../../control/control-path.ts'
import { answerPreflight, CORS_HEADERS, isPreflight, wantsCors } from '../../http/cors.ts'
import { type ConnectionFault, isBroken, type Outcome, toBeginning } from '../../http/outcome.ts'
import { toWireRequest, type WireRequest } from '../../http/wire-request.ts'
import { isBodiless } from '../../http/wire-response.ts'
import type { Mock } from '../../service/create-mock.ts'

/** A request that Playwright holds. */
export interface RoutedRequest {
  readonly route: Route
  readonly request: PageRequest
  /** Aborts when the page gives up. */
  readonly signal: AbortSignal
}

/** Answers one request as the server would. */
export async function answerRoute(
  mock: Pick<Mock, 'answer'>,
  { route, request, signal }: RoutedRequest,
): Promise<void> {
  const call = toWireRequest(toRequest(request, signal))
  const isService = !isControlPath(call.path)
  try {
    // Chromium's preflights are answered by Playwright itself.
    const reply = isService && isPreflight(call) ? answerPreflight(call) : await mock.answer(call)
    await fulfil(reply, { route, call, headers: isService && wantsCors(call) ? CORS_HEADERS : {} })
  } catch (error) {
    // Whoever has given up waits for nothing; the page may be gone.
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
  readonly call: WireRequest
  /** Beside those of the answer. */
  readonly headers: Readonly<Record<string, string>>
}

async function fulfil(reply: Outcome, { route, call, headers }: Fulfilment): Promise<void> {
  if (isBroken(reply)) return breakRoute(reply, { route, call, headers })
  if (reply instanceof Response) return fulfilResponse(reply, { route, call, headers })
  const body = isBodiless(reply, call.method) ? '' : Buffer.concat(reply.body)
  return route.fulfill({ status: reply.status, headers: { ...reply.headers, ...headers }, body })
}

/** Shows the page what it would have seen of the connection, as far as Playwright can. */
async function breakRoute(broken: ConnectionFault, { route, call, headers }: Fulfilment): Promise<void> {
  if (broken.breakage === 'truncated') {
    const { status, headers: own } = broken.answer
    return route.fulfill({ status, headers: { ...own, ...headers }, body: Buffer.from(toBeginning(broken.answer)) })
  }
  if (broken.breakage === 'timeout') await waitForAbort(AbortSignal.any([call.signal(), broken.released]))
  return route.abort(ABORT_CODES[broken.breakage])
}

const ABORT_CODES = { network: 'connectionclosed', reset: 'connectionreset', timeout: 'timedout' } as const

/** What a handler of the user's own gave; a network error (`Response.error()`) is a connection reset. */
async function fulfilResponse(response: Response, { route, call, headers }: Fulfilment): Promise<void> {
  if (response.type === 'error') return route.abort(ABORT_CODES.reset)
  const body = response.body?.pipeThrough(new TransformStream(), { signal: call.signal() })
  const content = Buffer.from(await new Response(body).arrayBuffer())
  const cookies = response.headers.getSetCookie()
  const own = {
    ...Object.fromEntries(response.headers),
    // Playwright takes several lines of one header as lines of one value.
    ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }),
  }
  return route.fulfill({ status: response.status, headers: { ...own, ...headers }, body: content })
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

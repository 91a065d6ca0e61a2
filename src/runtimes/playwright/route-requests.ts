/// <reference lib="esnext.disposable" preserve="true" />

import type { BrowserContext, Page, Request as PageRequest, Route } from '@playwright/test'
import { readBeginning } from '../../http/bytes.ts'
import { isControlPath } from '../../http/control-path.ts'
import { answerPreflight, CORS_HEADERS, isPreflight, wantsCors } from '../../http/cors.ts'
import { toWireRequest } from '../../http/fetch-request.ts'
import { toFetchResult, waitForAbort } from '../../http/fetch-result.ts'
import type { ConnectionFaultKind } from '../../http/outcome.ts'
import { type Mock, type MockService, toService } from '../../service/mock.ts'

/** Active request routing. */
export interface RequestRouting extends AsyncDisposable {
  /** Stops answering the pages. Requests in flight fail. Safe to call more than once. */
  stop(): Promise<void>
}

/**
 * Answers requests to the service from the mock, without a server or a service worker, for one page or for all pages of a
 * browser context. Other requests go to the network, or to routes that were set up before.
 *
 * Playwright has three limits: it does not see requests from a page's own service worker (open such a context with
 * `serviceWorkers: 'block'`), it cannot abort a response (with `truncated`, half the body arrives and then the response
 * ends normally), and it sends responses only as a whole, so that `/_mock/events` stays silent.
 * @example
 * const secondUser = await browser.newContext()
 * await routeRequests(inventory, secondUser)
 */
export async function routeRequests(mock: Mock, target: BrowserContext | Page): Promise<RequestRouting> {
  const open = new Map<PageRequest, { client: AbortController; answered: Promise<void> }>()
  const service = toService(mock, 'Failed to route requests')
  // Its own function, so that `unroute` removes this routing and no other.
  const covers = (url: URL): boolean => service.covers(url)
  const answer = (route: Route, request: PageRequest): Promise<void> => {
    const client = new AbortController()
    const answered = answerRoute(service, route, client.signal).finally(() => open.delete(request))
    open.set(request, { client, answered })
    return answered
  }
  const giveUp = (request: PageRequest): void => open.get(request)?.client.abort()
  const events = target as BrowserContext
  const stop = async (): Promise<void> => {
    events.off('requestfailed', giveUp).off('close', stop)
    const answers = Array.from(open.values(), ({ answered }) => answered)
    for (const { client } of open.values()) client.abort()
    // A closed page or context has no routes any more.
    await target.unroute(covers, answer).catch(() => {})
    await Promise.allSettled(answers)
  }
  events.on('requestfailed', giveUp).on('close', stop)
  await target.route(covers, answer)
  return { stop, [Symbol.asyncDispose]: stop }
}

/** Replaces the key `from` by `to`, which opens a sandbox. Requests with another key or none stay unchanged. */
export async function routeKey(
  context: BrowserContext,
  { covers, from, to }: { covers: (url: URL) => boolean; from: string; to: string },
): Promise<void> {
  await context.route(covers, (route) => {
    const headers = route.request().headers()
    const [scheme = '', key] = (headers['authorization'] ?? '').split(/ +/)
    if (scheme.toLowerCase() !== 'bearer' || key !== from) return route.fallback()
    return route.fallback({ headers: { ...headers, authorization: `Bearer ${to}` } })
  })
}

/**
 * Fails all further requests. After a test, its pages may send requests until their context closes, which must reach
 * neither a real service nor the sandbox of a finished test.
 */
export async function refuseRequests(context: BrowserContext, covers: (url: URL) => boolean): Promise<void> {
  // The test may have closed it already.
  await context.route(covers, (route) => route.abort()).catch(() => {})
}

/** https://playwright.dev/docs/api/class-route#route-abort */
const CODES: Readonly<Record<Exclude<ConnectionFaultKind, 'truncated'>, string>> = {
  network: 'connectionclosed',
  reset: 'connectionreset',
  timeout: 'timedout',
}

/**
 * Answers one request, which Playwright has paused, like the server would. A broken connection looks to the page as far as
 * Playwright can make it so.
 * @param signal Aborts when the page cancels the request.
 */
async function answerRoute(service: Pick<MockService, 'answer'>, route: Route, signal: AbortSignal): Promise<void> {
  const sent = toRequest(route.request(), signal)
  const request = toWireRequest(sent)
  const isService = !isControlPath(request.path)
  try {
    // Playwright itself answers Chromium's preflights.
    const outcome = isService && isPreflight(request) ? answerPreflight(request) : await service.answer(request)
    if (outcome.type === 'connection-fault' && outcome.kind !== 'truncated') {
      if (outcome.kind === 'timeout') await waitForAbort(AbortSignal.any([signal, outcome.released]))
      return await route.abort(CODES[outcome.kind])
    }
    const { status, headers, body } = await toFetchResult(outcome, sent)
    const { bytes } = await readBeginning(body, { limit: Number.POSITIVE_INFINITY, signal, isBreakEnd: true })
    await route.fulfill({
      status,
      headers: {
        ...Object.fromEntries(headers),
        // Playwright expects repeated headers as one value with line breaks.
        ...(headers.has('set-cookie') && { 'set-cookie': headers.getSetCookie().join('\n') }),
        ...(isService && wantsCors(request) && CORS_HEADERS),
      },
      body: Buffer.from(bytes),
    })
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

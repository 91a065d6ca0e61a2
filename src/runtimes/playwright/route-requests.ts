/// <reference lib="esnext.disposable" preserve="true" />

import type { BrowserContext, Page, Request as PageRequest, Route } from '@playwright/test'
import type { Mock } from '../../service/mock.ts'
import { toService } from '../../service/mock-service.ts'
import { answerRoute } from './answer-route.ts'

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
    const answered = answerRoute(service, { route, request, signal: client.signal }).finally(() => open.delete(request))
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

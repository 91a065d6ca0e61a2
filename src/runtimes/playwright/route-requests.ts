import type { BrowserContext, Page, Request as PageRequest, Route } from '@playwright/test'
import type { Mock } from '../../service/mock.ts'
import { toService } from '../../service/mock-service.ts'
import { answerRoute } from './answer-route.ts'

/** Requests of pages that are being answered. */
export interface RequestRouting extends AsyncDisposable {
  /** Gives the pages their network back. Requests that still wait for an answer fail. More than one call does no harm. */
  stop(): Promise<void>
}

/**
 * Answers what pages ask the service out of the mock, with no server and no worker: the requests of one page, or of all
 * pages of a browser context. All others go on to the network, or to routes that were set up before.
 *
 * What differs from the network lies with Playwright: it does not see requests that a service worker of the page's own
 * sends (open such a context with `serviceWorkers: 'block'`), it cannot break an answer off (of a `truncated` one the
 * first half comes, and then the end), and an answer comes whole or not at all, so that `/_mock/events` is silent.
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
    // Where it was closed there is no route any more.
    await target.unroute(covers, answer).catch(() => {})
    await Promise.allSettled(answers)
  }
  events.on('requestfailed', giveUp).on('close', stop)
  await target.route(covers, answer)
  return { stop, [Symbol.asyncDispose]: stop }
}

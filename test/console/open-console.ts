import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, type ServeOptions, serve } from '../../src/runtimes/server.ts'

/** An open console, and its mock. */
export interface OpenConsole {
  readonly page: Page
  readonly mock: Mock
  readonly server: RunningServer
}

export interface ConsoleSetup {
  readonly mock?: MockOptions
  readonly server?: ServeOptions
  readonly context?: BrowserContextOptions
  /** Of the page's address. */
  readonly query?: string
  /** Done with the page before it is opened. */
  readonly prepare?: (page: Page, mock: Mock) => Promise<void>
}

/** Serves a mock for the test and opens its console. An error in the page, or a request elsewhere, fails the test. */
export async function openConsole(browser: Browser, setup: ConsoleSetup = {}): Promise<OpenConsole> {
  const mock = createMock(setup.mock)
  const server = await serve(mock, setup.server)
  onTestFinished(() => server.close())
  const page = await openPage(browser, server.url, setup.context)
  await setup.prepare?.(page, mock)
  await page.goto(`${server.url}/_mock/${setup.query ?? ''}`)
  return { page, mock, server }
}

/** Opens an empty page for the pages of a server. */
export async function openPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const profile = await openProfile(browser, { origin: new URL(url).origin, ...options })
  profile.setDefaultTimeout(process.env['CI'] ? 30_000 : 10_000)
  return profile.newPage()
}

/**
 * What the browser itself logs, a rejection that msw leaves unhandled (its check for a newer worker, without a network), and why a
 * demo does not start or keeps nothing.
 */
const OF_OTHERS =
  /^(Failed to load resource|A bad HTTP response code|MockError: Failed to start the worker|petstore-mock: the state of persist)|Failed to update a ServiceWorker/

/** A browser profile. An error of a page, or a request to another origin, fails the test. */
export async function openProfile(
  browser: Browser,
  { origin, ...options }: BrowserContextOptions & { readonly origin: string },
): Promise<BrowserContext> {
  const profile = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const wrong: string[] = []
  const note = (text: string): unknown => OF_OTHERS.test(text) || wrong.push(text)
  profile.on('weberror', (error) => note(String(error.error())))
  profile.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(message.text()))
  profile.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`a request went to ${request.url()}`)
  })
  onTestFinished(async () => {
    await profile.close()
    expect(wrong).toEqual([])
  })
  return profile
}

/** The button that shows the stock of a pet and starts editing. */
export function stockOf(page: Page, petId: string | number) {
  return page.getByRole('row', { name: new RegExp(`^${petId} `) }).getByRole('button', { name: /in stock/ })
}

/** Shows the requests, for which a narrow page has a tab. */
export async function showRequests(page: Page): Promise<void> {
  const tab = page.getByRole('button', { name: 'Requests', exact: true })
  await page.getByText('Live', { exact: true }).waitFor()
  if (await tab.isVisible()) await tab.click()
}

/** Opens a request of the list; resolves with its details. */
export async function openRequest(page: Page, name: string, status: number | string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`\\d ${RegExp.escape(name)} ${status}\\b`) }).click()
  const details = page.getByRole('region', { name, exact: true })
  await details.getByRole('button', { name: 'Copy' }).waitFor()
  return details
}

/** The list of requests. */
export function requestsOf(page: Page) {
  return page.getByRole('region', { name: 'Requests' }).getByRole('listitem')
}

/** The field in which one types which requests to list. */
export function searchOf(page: Page) {
  return page.getByRole('searchbox', { name: 'Find requests' })
}

/** The field in which the stock of a pet is typed. */
export function fieldOf(page: Page, petId: string | number) {
  return page.getByRole('textbox', { name: `In stock of pet ${petId}`, exact: true })
}

/** Types a stock, and Enter. */
export async function edit(page: Page, petId: string | number, text: string): Promise<void> {
  await stockOf(page, petId).click()
  await fieldOf(page, petId).fill(text)
  await fieldOf(page, petId).press('Enter')
}

/** Sends an update as a client would, from the line below the requests. */
export async function sendLine(page: Page, petId: string | number, quantity: string): Promise<void> {
  const line = page.getByRole('form', { name: 'Send a request' })
  await line.getByLabel('Pet').fill(String(petId))
  await line.getByLabel('Quantity').fill(quantity)
  await line.getByRole('button', { name: 'Send' }).click()
}

/** Another client of the service. */
export function send(
  server: RunningServer,
  method: string,
  path: string,
  options: { key?: string; body?: string } = {},
) {
  const { key = 'demo-key', body } = options
  return fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
}

/** Requests that no network carries. */
export async function fill(mock: Mock, count: number): Promise<void> {
  const headers = { authorization: 'Bearer demo-key' }
  for (let sent = 0; sent < count; sent += 1) await mock.fetch('/v1/inventory', { headers })
}

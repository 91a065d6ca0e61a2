import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { edit, stockOf } from '../console/open-console.ts'
import { type FolderServer, serveFolder } from './serve-folder.ts'

/** A browser profile, and the site that hosts the demo. */
export interface OpenDemo {
  readonly site: FolderServer
  readonly profile: BrowserContext
  readonly page: Page
  /** Opens the demo in another tab. */
  openTab(path?: string): Promise<Page>
}

export interface DemoSetup {
  /** Where the demo lies on its site. */
  readonly folder?: string
  readonly context?: BrowserContextOptions
  /** Runs in every page before its own scripts. */
  readonly before?: () => void
  /** A file that the server does not have. */
  readonly missing?: string
  /** Files instead of those of the built demo. */
  readonly files?: ReadonlyMap<string, string>
  /** The name that the server is called by. */
  readonly host?: string
  /** What follows the folder in the URL of the first page. */
  readonly path?: string
}

/** The browser itself logs error responses and broken connections. */
const OF_BROWSER = /^(Failed to load resource|A bad HTTP response code)/
/** msw leaves this rejection unhandled: its background check for a newer worker fails without a network. */
const NO_UPDATE = /Failed to update a ServiceWorker/

/** Opens the built demo. An error of a page, or a request to another origin, fails the test. */
export async function openDemo(browser: Browser, setup: DemoSetup = {}): Promise<OpenDemo> {
  const site = await serveFolder(setup)
  const profile = await browser.newContext({ reducedMotion: 'reduce', ...setup.context })
  const { origin } = new URL(site.url)
  const wrong: string[] = []
  const note = (text: string): void => {
    if (!NO_UPDATE.test(text)) wrong.push(text)
  }
  profile.on('weberror', (error) => note(String(error.error())))
  profile.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !OF_BROWSER.test(message.text())) note(message.text())
  })
  profile.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`a request went to ${request.url()}`)
  })
  if (setup.before !== undefined) await profile.addInitScript(setup.before)
  onTestFinished(async () => {
    await profile.close()
    expect(wrong).toEqual([])
  })
  const openTab = async (path = ''): Promise<Page> => {
    const page = await profile.newPage()
    await page.goto(site.url + path)
    return page
  }
  return { site, profile, page: await openTab(setup.path), openTab }
}

/** Resolves when the page shows this quantity of a pet. */
export async function seeStock(page: Page, petId: number, quantity: number): Promise<void> {
  await expect.poll(() => stockOf(page, petId).innerText()).toBe(String(quantity))
}

/** Changes the stock of a pet through the UI, and waits until it is shown. */
export async function book(page: Page, petId: number, quantity: number): Promise<void> {
  await edit(page, petId, String(quantity))
  await page.getByText(`Pet ${petId} has ${quantity} in stock`).waitFor()
  await seeStock(page, petId, quantity)
}

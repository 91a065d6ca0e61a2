import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { edit, openProfile, stockOf } from '../console/open-console.ts'
import { type FolderOptions, type FolderServer, serveFolder } from './serve-folder.ts'

/** A browser profile, and the site that hosts the demo. */
export interface OpenDemo {
  readonly site: FolderServer
  readonly profile: BrowserContext
  readonly page: Page
  /** Opens the demo in another tab. */
  openTab(path?: string): Promise<Page>
  /** Takes the network away, and with it the server. */
  unplug(): Promise<void>
}

export interface DemoSetup extends FolderOptions {
  readonly context?: BrowserContextOptions
  /** Runs in every page before its own scripts. */
  readonly before?: () => void
  /** What follows the folder in the URL of the first page. @default QUIET */
  readonly path?: string
}

/** Without steps and customers. */
export const QUIET = '#step=0'

/** Keeps customers away, also after *Start again*: they do not come while the page is hidden. */
export const keepCustomersAway = (): void => void Object.defineProperty(document, 'hidden', { value: true })

/** Opens the built demo. An error of a page, or a request to another origin, fails the test. */
export async function openDemo(browser: Browser, setup: DemoSetup = {}): Promise<OpenDemo> {
  const site = await serveFolder(setup)
  const profile = await openProfile(browser, { origin: new URL(site.url).origin, ...setup.context })
  if (setup.before !== undefined) await profile.addInitScript(setup.before)
  const openTab = async (path = QUIET): Promise<Page> => {
    const page = await profile.newPage()
    await page.goto(site.url + path)
    return page
  }
  const unplug = async (): Promise<void> => {
    await profile.setOffline(true)
    await site.close()
  }
  return { site, profile, page: await openTab(setup.path), openTab, unplug }
}

/** Resolves when the page shows this quantity of a pet. */
export async function seeStock(page: Page, petId: number, quantity: number): Promise<void> {
  await expect.poll(() => stockOf(page, petId).innerText()).toBe(String(quantity))
}

/** Sends a request, because a tab loads what another one has stored before it answers. */
export async function ask(page: Page): Promise<void> {
  await page.evaluate(() => fetch('_mock/health'))
}

/** Changes the stock of a pet through the UI, and waits until it is shown. */
export async function book(page: Page, petId: number, quantity: number): Promise<void> {
  await edit(page, petId, String(quantity))
  await page.getByText(`Pet ${petId} has ${quantity} in stock`).waitFor()
  await seeStock(page, petId, quantity)
}

/** The shop beside the console. */
export function shopOf(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Corner Pet Shop' })
}

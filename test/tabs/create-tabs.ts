import type { BrowserContext, Page } from 'playwright'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { MockOptions } from '../../src/index.ts'
import type { WorkerOptions } from '../../src/runtimes/browser.ts'
import { openSite, type Site } from './open-site.ts'
import type {} from './site/main.ts'

interface TabOptions {
  readonly options?: WorkerOptions
  readonly mock?: Pick<MockOptions, 'fixture'>
  readonly isInsecure?: boolean
}

export interface Tabs {
  /** The profile of the test. */
  readonly profile: () => BrowserContext
  readonly url: () => string
  openPage(options?: TabOptions): Promise<Page>
  /** Opens a page with a mock that is answering, by default with `persist`, and inside the page. */
  openTab(options?: TabOptions): Promise<Page>
  startIn(page: Page, options?: TabOptions): Promise<void>
  list(page: Page, sandbox?: string): Promise<string>
  /** @param count Of how many pets; by default of all. */
  readQuantities(page: Page, count?: number): Promise<number[]>
  /** What pages warned of, or threw, since this was last asked. What no test takes out fails it. */
  takeLog(): string[]
}

/** A browser for the tests of a file, and a profile of its own for each test. */
export function createTabs(): Tabs {
  let site: Site
  let profile: BrowserContext
  let log: string[] = []
  beforeAll(async () => {
    site = await openSite()
    return () => site[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    profile = await site.newProfile()
    log = []
  })
  afterEach(async () => {
    await profile.close()
    expect(log).toEqual([])
  })

  function follow(page: Page): void {
    page.on('pageerror', (error) => log.push(String(error)))
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) log.push(message.text())
    })
  }

  const tabs: Tabs = {
    profile: () => profile,
    url: () => site.url,
    async openPage({ isInsecure = false } = {}) {
      const page = await profile.newPage()
      follow(page)
      await page.goto(isInsecure ? site.insecureUrl : site.url)
      return page
    },
    async openTab(options) {
      const page = await tabs.openPage(options)
      await tabs.startIn(page, options)
      return page
    },
    startIn: (page, { options, mock } = {}) =>
      page.evaluate(([options, mock]) => tab.start(options, mock), [options, mock] as const),
    list: (page, sandbox) => page.evaluate((name) => tab.list(name), sandbox),
    async readQuantities(page, count) {
      const pets: { quantity: number }[] = JSON.parse(await tabs.list(page))
      return pets.slice(0, count).map(({ quantity }) => quantity)
    },
    takeLog: () => log.splice(0),
  }
  return tabs
}

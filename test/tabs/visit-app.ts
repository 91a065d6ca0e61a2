import type { Browser, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import type { App } from './open-app.ts'

declare global {
  /** Is gone when the page is loaded again. */
  var visit: string | undefined
}

/** The first visit: one more of pet 1 is booked. What the page warns of, or throws, fails the test. */
export async function visitApp(browser: Browser, app: App): Promise<Page> {
  const page = await browser.newPage()
  const log: string[] = []
  page.on('pageerror', (error) => log.push(String(error)))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) log.push(message.text())
  })
  onTestFinished(async () => {
    await page.context().close()
    expect(log).toEqual([])
  })
  await page.goto(app.url)
  await book(page, 'Pet 1: 12 left', 'Pet 1: 13 left')
  return page
}

/** Books pets by the button of the page. */
export async function book(page: Page, before: string, after: string): Promise<void> {
  await page.getByRole('button', { name: before }).click()
  await page.getByRole('button', { name: after }).waitFor()
}

/** Marks the page, so that `survey` tells whether it was loaded again. */
export function mark(page: Page): Promise<void> {
  return page.evaluate(() => {
    globalThis.visit = 'the same'
  })
}

/** What a hot update leaves as it was. */
export function survey(page: Page): Promise<{ visit: string | undefined; workers: number }> {
  return page.evaluate(async () => ({
    visit: globalThis.visit,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))
}

/** Edits the file that starts the worker, so that it gives the page these titles one after the other. */
export async function editMock(page: Page, app: App, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
    await expect.poll(() => page.title()).toBe(title)
  }
}

/** An edit of that file starts the worker anew with the state. */
export async function expectRestart(page: Page, app: App): Promise<void> {
  await mark(page)
  await editMock(page, app, ['New mock', 'Newer mock'])
  await book(page, 'Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey(page)).toEqual({ visit: 'the same', workers: 1 })
}

import type { Browser, Page } from 'playwright'
import { onTestFinished } from 'vitest'
import { type App, type Change, openApp } from '../tabs/open-app.ts'
import { openPage } from './open-console.ts'

/** Turns the panel on. */
export const START: Change = (text) => text.replace('{ persist: true }', '{ persist: true, panel: true }')

/** Opens a page of Vite and React that has the panel. */
export async function openReact(
  browser: Browser,
  edits: Readonly<Record<string, Change>> = {},
): Promise<{ app: App; page: Page }> {
  const app = await openApp('react', { 'src/mock.ts': START, ...edits })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const page = await openPage(browser, app.url, { viewport: { width: 1280, height: 800 } })
  await page.goto(app.url)
  await tabOf(page).waitFor()
  return { app, page }
}

/** The tab that opens the panel. It also says how many faults are active. */
export function tabOf(page: Page) {
  return page.getByRole('button', { name: /^petstore-mock/ })
}

/** Opens the panel. */
export async function openPanel(page: Page): Promise<void> {
  await tabOf(page).click()
  await page.getByText('Live', { exact: true }).waitFor()
}

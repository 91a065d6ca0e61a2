import type { Page } from 'playwright'

/** The window of a phone. */
export const PHONE = { viewport: { width: 360, height: 740 } }

/** Presses the button of this name. */
export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Resolves when the demo is at this step. */
export function seeStep(page: Page, name: string): Promise<void> {
  return page.locator('[aria-current="step"]', { hasText: name }).waitFor()
}

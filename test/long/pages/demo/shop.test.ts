import { test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openDemo } from '../../../demo/open-demo.ts'

const browser = useChromium()

test('customers buy several pets until the page is hidden, and come back with it', async () => {
  // Customers come sooner after each other.
  const before = (): void => {
    const { setTimeout } = globalThis
    const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === 900 ? 100 : ms)
    Object.assign(globalThis, { setTimeout: hasten })
  }
  const { page } = await openDemo(browser(), { before, path: '' })
  for (const petId of [5, 6, 7, 10])
    await page
      .getByRole('button', { name: `PATCH /v1/inventory/${petId} 200` })
      .first()
      .waitFor()
  const hide = (isHidden: boolean) =>
    page.evaluate((value) => void Object.defineProperty(document, 'hidden', { value, configurable: true }), isHidden)
  await hide(true)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Journal cleared').waitFor()
  await page.getByRole('button', { name: 'all 0' }).waitFor()
  await hide(false)
  await page
    .getByRole('button', { name: /PATCH .* 200/ })
    .first()
    .waitFor()
})

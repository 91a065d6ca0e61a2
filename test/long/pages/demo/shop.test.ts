import { test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openDemo, shopOf } from '../../../demo/open-demo.ts'

const browser = useChromium()

test('a busy shop updates several pets, with a 404 and a 400, until the page is hidden', async () => {
  // Customers come sooner after each other.
  const before = (): void => {
    const { setTimeout } = globalThis
    const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === 900 ? 100 : ms)
    Object.assign(globalThis, { setTimeout: hasten })
  }
  const { page } = await openDemo(browser(), { before })
  const busy = page.getByRole('button', { name: 'Simulate a busy shop' })
  await busy.click()
  await page.getByRole('status').getByText('A busy shop is simulated').waitFor()
  for (const words of ['6 200', '3 200', '5 200', '3 400', '404404 404'])
    await page
      .getByRole('button', { name: `PATCH /v1/inventory/${words}` })
      .first()
      .waitFor()
  await page.getByRole('button', { name: 'Outage 503' }).click()
  await page.getByRole('button', { name: 'Shop', exact: true }).click()
  await shopOf(page).getByText('Sorry, we cannot serve you. 503').waitFor()
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.getByRole('status').getByText('The shop is quiet, because the page was hidden').waitFor()
  await page.getByRole('button', { name: 'Simulate a busy shop', pressed: false }).waitFor()
})

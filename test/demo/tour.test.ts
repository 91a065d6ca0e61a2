import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openDemo, shopOf } from './open-demo.ts'
import { PHONE, press } from './see-step.ts'

const browser = useChromium()

describe('the demo in three steps', () => {
  test('opens on a shop that sells; its buttons break the service and repair it, and it ends', async () => {
    const { page } = await openDemo(browser(), { path: '', context: PHONE })
    const shop = shopOf(page)
    await shop.getByText('Goldfish$412 left').waitFor()
    await shop.getByText(/^Sold \d × Guppy$/).waitFor()
    await press(page, 'Sell one')
    await press(page, 'Break the service')
    await shop.getByText('Sorry, we cannot sell right now.').waitFor()
    await shop.getByText('2 orders wait until we are back.').waitFor()
    await page.getByText('Every request: 503').waitFor()
    await press(page, 'Repair the service')
    await page.getByText('every order that waited is saved').waitFor()
    await page.getByText('No faults').waitFor()
    expect(await shop.getByText('Sorry').count()).toBe(0)
    await press(page, 'Start again')
    await page.getByRole('button', { name: 'Sell one' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#step=1')
  })
})

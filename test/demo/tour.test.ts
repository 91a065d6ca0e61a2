import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openDemo, seeStock, shopOf } from './open-demo.ts'

const browser = useChromium()

const PHONE = { viewport: { width: 360, height: 740 } }

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

  test('notices what is done by hand in the shop and in the console, also on a phone', async () => {
    const { page } = await openDemo(browser(), { path: '#step=1', context: PHONE })
    const shop = shopOf(page)
    await press(page, 'Pause customers')
    await press(page, 'Sell Rabbit')
    await seeStock(page, 7, 3)
    await seeStep(page, 'Break it')
    await press(page, 'Slow 1 s')
    await page.getByText('Every request waits 1 s', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Break the service' }).waitFor()
    await press(page, 'Slow 1 s')
    await press(page, 'Connection reset')
    await seeStep(page, 'See it recover')
    await press(page, 'Sell Rabbit')
    await shop.getByText('One order waits until we are back.').waitFor()
    await shop.getByText('Rabbit$452 left').waitFor()
    await seeStock(page, 7, 3)
    await press(page, 'Remove fault 1')
    await seeStock(page, 7, 2)
    await page.getByText('every order that waited is saved').waitFor()
  })

  test('opens at the step of a link, and of one that is followed', async () => {
    const { page } = await openDemo(browser(), { path: '#step=3' })
    await seeStep(page, 'See it recover')
    await shopOf(page).getByText('orders wait until we are back.').waitFor()
    await page.getByRole('link', { name: 'Break it' }).click()
    await seeStep(page, 'Break it')
    await page.getByText('No faults').waitFor()
    await page.goBack()
    await seeStep(page, 'See it recover')
    await page.getByText('Every request: 503').waitFor()
  })
})

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

function seeStep(page: Page, name: string): Promise<void> {
  return page.locator('[aria-current="step"]', { hasText: name }).waitFor()
}

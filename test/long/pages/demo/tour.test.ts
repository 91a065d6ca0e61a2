import { test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openDemo, seeStock, shopOf } from '../../../demo/open-demo.ts'
import { PHONE, press, seeStep } from '../../../demo/see-step.ts'

const browser = useChromium()

test('the demo in three steps notices what is done by hand in the shop and in the console, also on a phone', async () => {
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

test('the demo in three steps opens at the step of a link, and of one that is followed', async () => {
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

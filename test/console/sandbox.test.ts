import { describe, expect, test } from 'vitest'
import { toService } from '../../src/service/mock.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { openConsole, stockOf } from './open-console.ts'

const browser = useChromium()

describe('the sandbox of the console', () => {
  test('?sandbox=my%20tests opens the default one, and the page says why', async () => {
    const words = 'Invalid sandbox name “my tests”: use 1 to 64 letters'
    const { page, mock } = await openConsole(browser(), { query: '?sandbox=my%20tests' })
    await page.getByRole('alert').getByText(words).waitFor()
    await stockOf(page, 1).waitFor()
    expect(await page.getByLabel('Sandbox').inputValue()).toBe('default')
    expect(toService(mock).sandboxes.size).toBe(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText(words).waitFor({ state: 'detached' })
  })

  test('is found among 3,000', async () => {
    const { page, mock } = await openConsole(browser())
    for (let index = 0; index < 3000; index += 1) mock.sandbox(`test-${index}`)
    mock.sandbox('test-1234').inventory.set(1, { quantity: 77 })
    await page.getByLabel('Sandbox').focus()
    const options = page.locator('datalist').first().locator('option')
    await expect.poll(() => options.count()).toBe(3001)
    await page.getByLabel('Sandbox').fill('test-1234')
    await page.keyboard.press('Enter')
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('77')
    expect(await page.getByLabel('Sandbox').inputValue()).toBe('test-1234')
  })

  test.each(['API key', 'Sandbox'])('is opened by a key of a test, typed as the %s', async (label) => {
    const { page, mock } = await openConsole(browser())
    mock.sandbox('checkout-7').inventory.set(2, { quantity: 77 })
    await page.getByLabel(label).fill('demo-key~checkout-7')
    await page.keyboard.press('Enter')
    await page.getByText('Sandbox checkout-7').waitFor()
    await expect.poll(() => stockOf(page, 2).innerText()).toBe('77')
    expect(await page.getByLabel('API key').inputValue()).toBe('demo-key')
    expect(new URL(page.url()).search).toBe('?sandbox=checkout-7')
  })
})

test('another sandbox is not shown with the facts of the one before', async () => {
  const { page, mock } = await openConsole(browser())
  mock.sandbox('other').load('empty')
  await stockOf(page, 1).waitFor()
  await page.route(/\/_mock\/state/, () => {})
  await page.getByLabel('Sandbox').fill('other')
  await page.keyboard.press('Enter')
  await page.getByText('Sandbox other').waitFor()
  await stockOf(page, 1).waitFor({ state: 'detached' })
  expect(await page.getByText('10 pets').filter({ visible: true }).count()).toBe(0)
})

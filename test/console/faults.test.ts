import type { Browser } from 'playwright'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { fieldOf, openConsole, send, startBrowser, stockOf } from './open-console.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
  return () => browser.close()
})

describe('faults and latency on the console', () => {
  test('an outage is one click, the page says so, and an edit meets it', async () => {
    const { page, mock, server } = await openConsole(browser)
    await page.getByRole('switch', { name: 'Outage 503' }).click()
    await page.getByText('Outage 503 is on: every request is answered with 503.').waitFor()
    expect((await send(server, 'GET', '/v1/inventory')).status).toBe(503)
    await page.getByText('triggered once').waitFor()
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('20')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('503 · Response injected by a fault').waitFor()
    await fieldOf(page, 2).press('Escape')
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('No fault is active').waitFor()
    expect(await page.getByRole('switch', { name: 'Outage 503' }).getAttribute('aria-checked')).toBe('false')
    expect(mock.faults.list()).toEqual([])
  })

  test('an outage behind another fault is told too, and what remains when it is switched off', async () => {
    const { page, mock } = await openConsole(browser)
    mock.faults.add({ error: 'reset', petId: 3 })
    await page.getByRole('switch', { name: 'Outage 503' }).click()
    await page.getByText('Outage 503 and another fault are on.').waitFor()
    await page.getByRole('switch', { name: 'Outage 503' }).click()
    await page.getByText('Outage 503 is off. Another fault is still active.').waitFor()
    expect(mock.faults.list()).toMatchObject([{ error: 'reset', petId: 3 }])
    mock.faults.add({ status: 500, petId: 4 })
    mock.faults.add({ status: 503 })
    await page.getByText('Outage 503 and 2 other faults are on.').waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Outage 503 is off. 2 other faults are still active.').waitFor()
  })

  test('a fault that another client removed meanwhile does not keep an outage on', async () => {
    const { page, mock } = await openConsole(browser)
    mock.faults.add({ status: 503 })
    mock.faults.add({ error: 'reset' })
    await page.getByText('Outage 503 is on:').waitFor()
    await page.route('**/_mock/faults/1', async (route) => {
      mock.faults.remove(1)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Outage 503, Connection reset is off').waitFor()
    expect(mock.faults.list()).toEqual([])
  })

  test('one kind takes the place of another', async () => {
    const { page, mock } = await openConsole(browser)
    await page.getByRole('switch', { name: 'Outage 503' }).click()
    await page.getByText('Outage 503 is on:').waitFor()
    await page.getByRole('switch', { name: 'Connection reset' }).click()
    await page.getByText('Connection reset is on:').waitFor()
    expect(mock.faults.list()).toMatchObject([{ error: 'reset' }])
    await page.getByRole('switch', { name: 'Timeout' }).click()
    await page.getByText('Timeout is on:').waitFor()
    expect(mock.faults.list()).toMatchObject([{ error: 'timeout' }])
  })

  test('a connection that is reset under an edit is told beside the field', async () => {
    const { page, mock } = await openConsole(browser)
    mock.faults.add({ error: 'reset', operation: 'updateInventory' })
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('20')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('The connection broke before a response came').waitFor()
  })

  test('an edit that gets no answer is given up with Escape', async () => {
    const { page, mock } = await openConsole(browser)
    mock.faults.add({ error: 'timeout' })
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('20')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('saving').waitFor()
    await fieldOf(page, 2).press('Escape')
    await stockOf(page, 2).waitFor()
    expect(await stockOf(page, 2).innerText()).toBe('3')
  })

  test('a second of latency is one click, and another to be without it', async () => {
    const { page, mock, server } = await openConsole(browser)
    const slow = page.getByRole('switch', { name: 'Slow 1 s' })
    mock.clock.useVirtual()
    await slow.click()
    await page.getByText('Responses take 1,000 ms').waitFor()
    const answered = send(server, 'GET', '/v1/inventory')
    await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
    await mock.clock.advance(999)
    expect(mock.clock.pending).toBe(1)
    await mock.clock.advance(1)
    expect((await answered).status).toBe(200)
    await slow.click()
    await page.getByText('Latency removed').waitFor()
    expect((await send(server, 'GET', '/v1/inventory')).status).toBe(200)
  })

  test('the latency that the mock was started with is shown, and can be switched off here', async () => {
    const { page, mock } = await openConsole(browser, { mock: { delay: [2, 5] } })
    await page.getByText('Responses take 2 to 5 ms, as set with --delay.').waitFor()
    await page.getByRole('button', { name: 'Remove latency' }).click()
    await page.getByText('The mock’s own latency of 2 to 5 ms is off in this sandbox.').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('as set with --delay').waitFor()
    mock.setDelay(70)
    await page.getByText('Responses take 70 ms.').waitFor()
    await page.getByRole('switch', { name: 'Slow 1 s' }).click()
    await page.getByRole('switch', { name: 'Slow 1 s', checked: true }).waitFor()
    await page.getByText('Responses take 70 ms.').waitFor({ state: 'detached' })
  })

  test('a fault of one’s own is made by the form, large ids exact', async () => {
    const { page, mock } = await openConsole(browser, { mock: { fixture: 'int64-edges' } })
    await page.getByText('Add another fault').click()
    await page.getByLabel('Operation').selectOption('updateInventory')
    await page.getByLabel('Status', { exact: true }).fill('429')
    await page.locator('form').getByLabel('Pet id').fill('9223372036854775807')
    await page.getByLabel('Times').fill('2')
    await page.getByLabel('Probability in %').fill('50')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page
      .getByText('updateInventory of pet 9223372036854775807: 429, for 50 % of requests, 2 times · not triggered')
      .waitFor()
    expect(mock.faults.list()).toEqual([
      {
        id: 1,
        used: 0,
        operation: 'updateInventory',
        petId: 9223372036854775807n,
        status: 429,
        times: 2,
        probability: 0.5,
      },
    ])
    await page.getByRole('button', { name: 'Remove fault 1' }).click()
    await page.getByText('No fault is active').waitFor()
  })

  test('what is wrong with a fault is told in the words of the mock', async () => {
    const { page } = await openConsole(browser)
    await page.getByText('Add another fault').click()
    await page.getByLabel('Status', { exact: true }).fill('99')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('status must be a whole number from 200 to 599, got 99').waitFor()
  })

  test('what others set is shown', async () => {
    const { page, mock } = await openConsole(browser)
    await page.getByText('No fault is active').waitFor()
    mock.faults.add({ petId: 7, error: 'truncated', delay: [100, 200] })
    mock.faults.add({ method: 'GET', path: '/orders/{id}', status: 503 })
    mock.setDelay('5-10')
    await page.getByText('Every request of pet 7: the response is cut off, after 100 to 200 ms').waitFor()
    await page.getByText('GET /orders/{id}: 503').waitFor()
    await page.getByText('Responses take 5 to 10 ms.').waitFor()
    mock.faults.clear()
    await page.getByText('No fault is active').waitFor()
  })
})

describe('the state of the console’s sandbox', () => {
  test('reset takes back stock, faults and journal', async () => {
    const { page, mock, server } = await openConsole(browser)
    await send(server, 'PATCH', '/v1/inventory/1', { body: '{"quantity":99}' })
    await page.getByRole('switch', { name: 'Timeout' }).click()
    await page.getByText('Timeout is on:').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Stock, faults, latency and journal reset').waitFor()
    await page.getByText('No fault is active').waitFor()
    await page.getByText('No requests yet').waitFor()
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('12')
    expect(mock.journal.entries).toEqual([])
  })

  test('another fixture is loaded', async () => {
    const { page } = await openConsole(browser)
    await stockOf(page, 5).waitFor()
    await page.getByLabel('Fixture').selectOption('low-stock')
    await page.getByRole('button', { name: 'Load' }).click()
    await page.getByText('Loaded low-stock').waitFor()
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('1')
  })

  test('a sandbox is opened, changed, and left again, and the address tells it', async () => {
    const { page, mock } = await openConsole(browser)
    await page.getByRole('button', { name: 'Open…' }).click()
    await page.getByLabel('Sandbox name').fill('checkout-7')
    await page.keyboard.press('Enter')
    await page.getByText('Sandbox checkout-7').waitFor()
    expect(new URL(page.url()).search).toBe('?sandbox=checkout-7')
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('77')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('Pet 2 has 77 in stock').waitFor()
    expect([mock.inventory.get(2)?.quantity, mock.sandbox('checkout-7').inventory.get(2)?.quantity]).toEqual([3, 77])
    mock.sandbox('someone-else')
    await page.getByLabel('Sandbox').focus()
    await vi.waitFor(async () =>
      expect(await page.getByLabel('Sandbox').locator('option').allInnerTexts()).toContain('someone-else'),
    )
    await page.getByLabel('Sandbox').selectOption('default')
    await expect.poll(() => stockOf(page, 2).innerText()).toBe('3')
    expect(new URL(page.url()).search).toBe('')
  })

  test('an address with a sandbox opens it', async () => {
    const { page, mock } = await openConsole(browser, { query: '?sandbox=a.b' })
    await page.getByText('Live').waitFor()
    mock.sandbox('a.b').inventory.set(1, { quantity: 1000 })
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('1,000')
    expect(await page.getByLabel('Sandbox').inputValue()).toBe('a.b')
  })
})

import { describe, expect, test, vi } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { edit, openConsole, openRequest, send, sendLine, stockOf } from './open-console.ts'

const browser = useChromium()

describe('faults and latency on the console', () => {
  test('an outage is one click, a request sent here meets it, and another kind takes its place', async () => {
    const { page, mock, server } = await openConsole(browser())
    await page.getByRole('button', { name: 'Outage 503' }).click()
    await page.getByText('Every request: 503').waitFor()
    await page.getByText('not triggered').waitFor()
    await expect.poll(() => page.title()).toBe('1 fault · petstore-mock')
    expect((await send(server, 'GET', '/v1/inventory')).status).toBe(503)
    await page.getByText('triggered once').waitFor()
    await sendLine(page, 2, '20')
    await page.getByText(/^Response: 503 after/).waitFor()
    await page.getByRole('button', { name: 'Timeout' }).click()
    await page.getByText('Every request: no response').waitFor()
    expect(mock.faults.list()).toMatchObject([{ error: 'timeout' }])
    await page.getByRole('button', { name: 'Outage 503', pressed: false }).waitFor()
    await page.getByRole('button', { name: 'Timeout' }).click()
    await page.getByText('Every request:').waitFor({ state: 'detached' })
    expect(mock.faults.list()).toEqual([])
  })

  test('an edit in the table meets no fault, uses none up and is no request; a request sent here does all of it', async () => {
    const { page, mock } = await openConsole(browser())
    mock.setDelay(60_000)
    mock.faults.add({ error: 'reset', times: 1, operation: 'updateInventory' })
    await edit(page, 2, '20')
    await page.getByText('Pet 2 has 20 in stock').waitFor()
    expect([mock.inventory.get(2)?.quantity, mock.faults.list().length, mock.journal.entries]).toEqual([20, 1, []])
    mock.setDelay(0)
    await sendLine(page, 2, '21')
    await page.getByText('The connection broke before a response came').waitFor()
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 none/ }).waitFor()
    expect([mock.inventory.get(2)?.quantity, mock.faults.list()]).toEqual([20, []])
  })

  test('a second of latency is one click, and another to be without it', async () => {
    const { page, mock, server } = await openConsole(browser())
    const slow = page.getByRole('button', { name: 'Slow 1 s' })
    mock.clock.useVirtual()
    await slow.click()
    await page.getByText('Every request waits 1 s', { exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe('1 fault · petstore-mock')
    const answered = send(server, 'GET', '/v1/inventory')
    await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
    await mock.clock.advance(999)
    expect(mock.clock.pending).toBe(1)
    await mock.clock.advance(1)
    expect((await answered).status).toBe(200)
    await slow.click()
    await page.getByText('Latency removed').waitFor()
    await expect.poll(() => page.title()).toBe('petstore-mock')
    expect((await send(server, 'GET', '/v1/inventory')).status).toBe(200)
  })

  test('a request is made to fail again, and a path of one’s own', async () => {
    const { page, mock, server } = await openConsole(browser())
    await send(server, 'GET', '/v1/orders/7?a=b')
    const details = await openRequest(page, 'GET /v1/orders/7?a=b', 404)
    await details.getByRole('button', { name: 'Make this fail…' }).click()
    const sentence = page.getByRole('form', { name: 'New fault' })
    expect(await sentence.getByLabel('Operation or path').inputValue()).toBe('GET /orders/7')
    await sentence.getByLabel('Operation or path').fill('/orders/{id}')
    await sentence.getByLabel('Response').selectOption('broken connection')
    await page.keyboard.press('Enter')
    await page.getByText('/orders/{id}: broken connection').waitFor()
    expect(mock.faults.list()).toMatchObject([{ path: '/orders/{id}', error: 'network' }])
    await expect(send(server, 'GET', '/v1/orders/8')).rejects.toThrow()
  })

  test('what is wrong with a fault is told in the words of the mock', async () => {
    const { page } = await openConsole(browser())
    await page.getByRole('button', { name: 'Make requests fail…' }).click()
    const sentence = page.getByRole('form', { name: 'New fault' })
    await sentence.getByLabel('Times').fill('0')
    await page.keyboard.press('Enter')
    await sentence.getByText(/times must be /).waitFor()
    await sentence.getByLabel('Response').selectOption('the usual response')
    await page.keyboard.press('Enter')
    await sentence.getByText('Choose a response, or enter a delay.').waitFor()
    await page.keyboard.press('Escape')
    await sentence.waitFor({ state: 'detached' })
  })
})

describe('the state of the console’s sandbox', () => {
  test('a sandbox is opened, changed, and left again, and the address tells it', async () => {
    const { page, mock } = await openConsole(browser())
    await page.getByLabel('Sandbox').fill('checkout-7')
    await page.keyboard.press('Enter')
    await page.getByText('Sandbox checkout-7').waitFor()
    expect(new URL(page.url()).search).toBe('?sandbox=checkout-7')
    await edit(page, 2, '77')
    await page.getByText('Pet 2 has 77 in stock').waitFor()
    expect([mock.inventory.get(2)?.quantity, mock.sandbox('checkout-7').inventory.get(2)?.quantity]).toEqual([3, 77])
    await page.goBack()
    await expect.poll(() => stockOf(page, 2).innerText()).toBe('3')
    expect(new URL(page.url()).search).toBe('')
    await page.goForward()
    await expect.poll(() => stockOf(page, 2).innerText()).toBe('77')
    await page.getByRole('link', { name: 'Skip to the inventory' }).press('Enter')
    expect(await page.getByLabel('Sandbox').inputValue()).toBe('checkout-7')
  })

  test('neither the key on the page nor demo-key is taken as the name of a sandbox', async () => {
    const { page } = await openConsole(browser(), { mock: { apiKeys: ['demo-key', 'second'] } })
    await page.getByLabel('API key').fill('second')
    for (const [key, name] of [
      ['demo-key', 'a'],
      ['second', 'b'],
    ] as const) {
      await page.getByLabel('Sandbox').fill(key)
      await page.keyboard.press('Enter')
      await page.getByText('A name is no API key').waitFor()
      expect(new URL(page.url()).search).not.toContain(key)
      expect(await page.title()).not.toContain(key)
      await page.getByLabel('Sandbox').fill(name)
      await page.keyboard.press('Enter')
      await page.getByText(`Sandbox ${name}`).waitFor()
    }
  })
})

import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../machine.ts'
import { openConsole, send, startBrowser } from './open-console.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
  return () => browser.close()
})

const COPYING = { permissions: ['clipboard-read', 'clipboard-write'] }

describe('the journal on the console', () => {
  test('says that nothing was asked, and then shows what is, the newest first', async () => {
    const { page, server } = await openConsole(browser)
    await page.getByText('No requests yet').waitFor()
    await send(server, 'GET', '/v1/inventory')
    await send(server, 'PATCH', '/v1/inventory/999', { body: '{"quantity":1}' })
    const lines = page.getByRole('region', { name: 'Journal' }).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(2)
    expect(await lines.first().innerText()).toMatch(/PATCH\s+\/v1\/inventory\/999\s+404/)
    expect(await lines.last().innerText()).toMatch(/GET\s+\/v1\/inventory\s+200/)
  })

  test('marks an exchange whose operation is experimental or deprecated', async () => {
    const { page, server } = await openConsole(browser)
    await send(server, 'PATCH', '/v1/inventory/1', { body: '{"quantity":1}' })
    await send(server, 'GET', '/v1/pets/1')
    await send(server, 'GET', '/v1/inventory')
    await page.getByRole('button', { name: /GET \/v1\/pets\/1 501 .* deprecated$/ }).waitFor()
    await page.getByRole('button', { name: /GET \/v1\/inventory 200/ }).waitFor()
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/1 200 .* experimental$/ }).click()
    await page
      .getByRole('dialog')
      .getByText(/^No\. 1, .* experimental operation$/)
      .waitFor()
  })

  test('marks a response of a stub as not specified', async () => {
    const { page, server } = await openConsole(browser, { mock: { stubs: [{ path: '/toys/{id}', body: 'ball' }] } })
    await send(server, 'GET', '/v1/toys/1')
    await page.getByRole('button', { name: /GET \/v1\/toys\/1 200 .* not specified$/ }).click()
    await page
      .getByRole('dialog')
      .getByText(/^No\. 1, .* not specified: response of a stub$/)
      .waitFor()
  })

  test('has what was asked before the page was opened', async () => {
    const { page, server } = await openConsole(browser)
    await send(server, 'GET', '/v1/inventory')
    await page.reload()
    await page.getByRole('button', { name: /GET \/v1\/inventory 200/ }).waitFor()
  })

  test('opens an exchange, with its headers and its bodies', async () => {
    const { page, server } = await openConsole(browser)
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":  5}' })
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).click()
    const dialog = page.getByRole('dialog', { name: 'PATCH /v1/inventory/2' })
    const answer = dialog.getByRole('region', { name: 'Response 200' })
    expect(await answer.locator('pre').innerText()).toBe(
      '{\n  "petId": 2,\n  "quantity": 5,\n  "status": "available"\n}',
    )
    expect(await answer.locator('dl').innerText()).toMatch(/content-type\s+application\/json/)
    expect(await dialog.getByRole('region', { name: 'Request' }).locator('dl').innerText()).toMatch(
      /authorization\s+Bearer \(hidden\)/,
    )
    await page.keyboard.press('Escape')
    expect(await dialog.count()).toBe(0)
  })

  test('copies an exchange as a line of curl', async () => {
    const { page, server } = await openConsole(browser, { context: COPYING })
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5,"note":"it\'s"}' })
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied, with the current API key').waitFor()
    const line = await page.evaluate(() => navigator.clipboard.readText())
    expect(line).toBe(
      `curl -X PATCH -H 'authorization: Bearer demo-key' -H 'content-type: application/json' ` +
        `--data-raw '{"quantity":5,"note":"it'\\''s"}' '${server.url}/v1/inventory/2'`,
    )
  })

  test.skipIf(process.platform === 'win32' || !hasProgram('curl'))(
    'copies a line that does the same again (needs curl)',
    async () => {
      const { page, mock, server } = await openConsole(browser, { context: COPYING })
      await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5,"note":"it\'s $HOME"}' })
      await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).click()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.getByText('Copied, with the current API key').waitFor()
      const line = await page.evaluate(() => navigator.clipboard.readText())
      const { stdout } = await promisify(exec)(`${line} --silent --show-error`)
      expect(stdout).toBe('{"petId":2,"quantity":5,"status":"available"}')
      const bodies = mock.journal.entries.map(({ request }) => request.body)
      expect(bodies).toEqual([bodies[0], bodies[0]])
    },
  )

  test('sends an exchange again, with the present key and to the present sandbox', async () => {
    const { page, mock, server } = await openConsole(browser)
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
    mock.inventory.set(2, { quantity: 0 })
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).click()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText(/^Replayed: 200 after \d+ ms$/).waitFor()
    expect(mock.inventory.get(2)?.quantity).toBe(5)
    expect(mock.journal.find({ operation: 'updateInventory', status: 200 })).toHaveLength(2)
  })

  test('sends again what an outage refused, and what had no valid key', async () => {
    const { page, mock, server } = await openConsole(browser)
    mock.faults.add({ status: 503, times: 1 })
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
    await send(server, 'PATCH', '/v1/inventory/3', { key: 'wrong', body: '{"quantity":6}' })
    for (const [petId, status] of [
      [2, 503],
      [3, 401],
    ]) {
      await page.getByRole('button', { name: new RegExp(`PATCH /v1/inventory/${petId} ${status}`) }).click()
      await page
        .getByText('{"quantity":')
        .or(page.getByText(/"quantity": \d/))
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByText(/^Replayed: 200 after \d+ ms$/).waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
    }
    expect([mock.inventory.get(2)?.quantity, mock.inventory.get(3)?.quantity]).toEqual([5, 6])
  })

  test('says where the mock kept too little to send a request again', async () => {
    const { page, server } = await openConsole(browser)
    await send(server, 'PATCH', '/v1/inventory/2', {
      key: 'wrong',
      body: `{"quantity":5,"note":"${'x'.repeat(70_000)}"}`,
    })
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 401/ }).click()
    await page.getByText('the mock kept only part of its body').waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true)
  })

  test('is filtered, and cleared', async () => {
    const { page, mock, server } = await openConsole(browser)
    await send(server, 'GET', '/v1/inventory')
    await send(server, 'GET', '/v1/inventory', { key: 'wrong' })
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
    const lines = page.getByRole('region', { name: 'Journal' }).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(3)
    await page.getByLabel('Show').selectOption('errors')
    await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining('401')])
    await page.getByLabel('Show').selectOption('changes')
    await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining('PATCH')])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(mock.journal.entries).toEqual([])
  })

  test('an exchange without an answer says so', async () => {
    const { page, mock, server } = await openConsole(browser)
    mock.faults.add({ error: 'reset', times: 1 })
    await send(server, 'GET', '/v1/inventory').catch(() => {})
    await page.getByRole('button', { name: /GET \/v1\/inventory none/ }).click()
    await page.getByText('The client disconnected, or a fault broke its connection.').waitFor()
  })

  test('hundreds of exchanges keep the page small, and older ones can be asked for', async () => {
    const { page, server } = await openConsole(browser)
    await page.getByText('Live').waitFor()
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => send(server, 'GET', '/v1/inventory')))
    }
    const lines = page.locator('.exchange')
    await expect.poll(() => lines.count()).toBe(50)
    await page.getByText('300 answered').waitFor()
    await page.getByRole('button', { name: 'Show older requests' }).click()
    await expect.poll(() => lines.count()).toBe(100)
  })

  test('the last minute counts all requests of it, also those before the page was opened', async () => {
    const { page, mock } = await openConsole(browser)
    await page.getByText('Live').waitFor()
    const headers = { authorization: 'Bearer demo-key' }
    for (let count = 0; count < 450; count += 1) await mock.fetch('/v1/inventory', { headers })
    await page.getByText('450 answered').waitFor()
    await page.reload()
    await page.getByText('450 answered').waitFor()
    expect(await page.getByText('Counted since').count()).toBe(0)
  })

  test('the last minute says from when on it counts, where the journal dropped older requests', async () => {
    const { page, mock } = await openConsole(browser, { mock: { journalSize: 300 } })
    await page.getByText('Live').waitFor()
    const headers = { authorization: 'Bearer demo-key' }
    for (let count = 0; count < 350; count += 1) await mock.fetch('/v1/inventory', { headers })
    await page.reload()
    await page.getByText('300 answered').waitFor()
    await page.getByText(/^Counted since \d\d:\d\d:\d\d: the journal no longer has older requests\.$/).waitFor()
  })

  test('a body that the event of its exchange cuts is shown whole', async () => {
    const { page, server } = await openConsole(browser)
    await page.getByText('Live').waitFor()
    await send(server, 'PATCH', '/v1/inventory/2', { body: `{"quantity":5,"note":"${'x'.repeat(9000)}"}` })
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).click()
    await page.getByText('x'.repeat(9000)).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText(/^Replayed: 200/).waitFor()
  })

  test('the last minute tells requests, refusals and failures', async () => {
    const { page, mock, server } = await openConsole(browser)
    await page.getByText('Live').waitFor()
    await send(server, 'GET', '/v1/inventory')
    await send(server, 'GET', '/v1/inventory', { key: 'wrong' })
    mock.faults.add({ status: 503, times: 1 })
    await send(server, 'GET', '/v1/inventory')
    await page
      .getByRole('img', { name: 'Requests per second over the last minute: 1 answered, 1 refused, 1 failed.' })
      .waitFor()
  })
})

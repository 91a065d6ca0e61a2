import { exec } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { runCli } from '../cli/run-cli.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { hasProgram } from '../machine.ts'
import { COPYING, copy } from './copy.ts'
import { fill, openConsole, openPage, openRequest, requestsOf, searchOf, send } from './open-console.ts'

const browser = useChromium()

describe('the requests on the console', () => {
  test('are none at first, then appear, the newest first, with the reason of a refusal', async () => {
    const { page, server } = await openConsole(browser(), { mock: { stubs: [{ path: '/toys/{id}', body: 'ball' }] } })
    await page.getByText('No requests yet').waitFor()
    await page.getByText(`curl -H 'authorization: Bearer demo-key' '${server.url}/v1/inventory'`).waitFor()
    await send(server, 'GET', '/v1/inventory')
    await send(server, 'GET', '/v1/toys/1')
    await page.getByRole('button', { name: /GET \/v1\/toys\/1 200 .* stub$/ }).waitFor()
    await send(server, 'PATCH', '/v1/inventory/999', { body: '{"quantity":1}' })
    await expect.poll(() => requestsOf(page).count()).toBe(3)
    expect(await requestsOf(page).first().innerText()).toMatch(
      /PATCH\s+\/v1\/inventory\/999\s+404[\s\S]*There is no pet 999/,
    )
    expect(await requestsOf(page).last().innerText()).toMatch(/GET\s+\/v1\/inventory\s+200/)
    await page.reload()
    await expect.poll(() => requestsOf(page).count()).toBe(3)
  })

  test('open with headers and bodies, and close with Escape', async () => {
    const { page, server } = await openConsole(browser())
    await send(server, 'PATCH', '/v1/inventory/2', { body: `{"quantity":  5,"note":"${'x'.repeat(9000)}"}` })
    const details = await openRequest(page, 'PATCH /v1/inventory/2', 200)
    const [view, row] = [page.locator('.exchanges'), page.locator('.exchange')]
    expect((await row.boundingBox())?.y).toBeGreaterThanOrEqual((await view.boundingBox())?.y ?? Infinity)
    const answer = details.getByRole('region', { name: 'Response 200' })
    expect(await answer.locator('pre').innerText()).toBe(
      '{\n  "petId": 2,\n  "quantity": 5,\n  "status": "available"\n}',
    )
    await answer.getByText('Headers').click()
    expect(await answer.locator('dl').innerText()).toMatch(/content-type\s+application\/json/)
    const request = details.getByRole('region', { name: 'Request' })
    // The event of an exchange has less of its body.
    await request.getByText('x'.repeat(9000)).waitFor()
    await request.getByText('Headers').click()
    expect(await request.locator('dl').innerText()).toMatch(/authorization\s+Bearer \(hidden\)/)
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
  })

  test('are reached with the keyboard alone', async () => {
    const { page, server } = await openConsole(browser())
    for (const petId of [1, 2, 99]) await send(server, 'PATCH', `/v1/inventory/${petId}`, { body: '{"quantity":5}' })
    await expect.poll(() => requestsOf(page).count()).toBe(3)
    await page.keyboard.press('/')
    await page.keyboard.type('nothing')
    await page.getByText('0 found').waitFor()
    await page.getByRole('button', { name: 'Pause' }).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('patch')
    await page.getByText('3 found').waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('region', { name: 'PATCH /v1/inventory/1' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('region', { name: 'PATCH /v1/inventory/2' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const sentence = page.getByRole('form', { name: 'New fault' })
    expect(await sentence.getByLabel('Requests').inputValue()).toBe('updateInventory')
    expect(await sentence.getByLabel('Pet').inputValue()).toBe('2')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Make this fail…')
    await page.keyboard.press('Escape')
    await page.locator('.details').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('exchange')
  })

  test('keep their place while one is open, while others arrive and while a fault is written', async () => {
    const { page, mock, server } = await openConsole(browser(), { mock: { journalSize: 100 } })
    await fill(mock, 5)
    await send(server, 'PATCH', '/v1/inventory/99', { body: '{"quantity":1}' })
    await fill(mock, 5)
    const details = await openRequest(page, 'PATCH /v1/inventory/99', 404)
    const before = await details.boundingBox()
    await fill(mock, 12)
    const newer = page.getByRole('button', { name: '12 new' })
    await newer.waitFor()
    expect([await requestsOf(page).count(), await details.boundingBox()]).toEqual([11, before])
    await details.getByRole('button', { name: 'Make this fail…' }).click()
    const sentence = page.getByRole('form', { name: 'New fault' })
    await sentence.waitFor()
    expect(await details.boundingBox()).toEqual(before)
    await sentence.getByRole('button', { name: 'Add' }).click()
    await page.getByText('not triggered').waitFor()
    expect(await details.boundingBox()).toEqual(before)
    await newer.click()
    await expect.poll(() => requestsOf(page).count()).toBe(23)
    // The journal drops the request that somebody reads.
    await fill(mock, 100)
    await page.getByRole('button', { name: '100 new' }).waitFor()
    await details.locator('pre').getByText('There is no pet 99').waitFor()
    await details.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => requestsOf(page).first().innerText()).toContain('GET')
    await page.getByRole('button', { name: /new$/ }).waitFor({ state: 'detached' })
  })

  test('are those of the search before, dimmed, until the next answer', async () => {
    const { page, mock, server } = await openConsole(browser())
    await fill(mock, 3)
    await send(server, 'PATCH', '/v1/inventory/99', { body: '{"quantity":1}' })
    await expect.poll(() => requestsOf(page).count()).toBe(4)
    await page.route(/\/_mock\/journal\?/, () => {})
    await searchOf(page).fill('4xx')
    const opacity = () => page.locator('.exchanges').evaluate((element) => getComputedStyle(element).opacity)
    await expect.poll(opacity).toBe('0.4')
    expect([await requestsOf(page).count(), await page.getByText(/found|No matching/).count()]).toEqual([4, 0])
    await page.unroute(/\/_mock\/journal\?/)
    await page.getByText('1 found').waitFor()
    expect([await requestsOf(page).count(), await opacity()]).toEqual([1, '1'])
  })

  test('stay as they are while paused, and are cleared', async () => {
    const { page, mock, server } = await openConsole(browser())
    await send(server, 'GET', '/v1/inventory')
    await expect.poll(() => requestsOf(page).count()).toBe(1)
    const pause = page.getByRole('button', { name: 'Pause' })
    await pause.click()
    await send(server, 'GET', '/v1/inventory', { key: 'wrong' })
    await searchOf(page).fill('4xx')
    await page.getByText('1 found').waitFor()
    await searchOf(page).fill('')
    await expect.poll(() => requestsOf(page).count()).toBe(2)
    await send(server, 'PATCH', '/v1/inventory/1', { body: '{"quantity":5}' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await requestsOf(page).count()).toBe(2)
    await pause.click()
    await expect.poll(() => requestsOf(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(mock.journal.entries).toEqual([])
    await searchOf(page).fill('4xx')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.poll(() => searchOf(page).inputValue()).toBe('')
  })
})

describe('a request is sent', () => {
  test('by the line of the console', async () => {
    const { page, mock } = await openConsole(browser())
    const line = page.getByRole('form', { name: 'Send a request' })
    await line.getByLabel('Pet').fill('2')
    await line.getByLabel('Quantity').fill('9')
    await line.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^Response: 200 after \d+ ms$/).waitFor()
    expect(mock.inventory.get(2)?.quantity).toBe(9)
    await line.getByLabel('Operation').selectOption('getPet')
    await line.getByLabel('Pet').fill('2')
    await line.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^Response: 501/).waitFor()
    expect(mock.journal.entries.map(({ operation }) => operation)).toEqual(['updateInventory', 'getPet'])
  })

  test('again, with the present key and to the present sandbox, also what was refused', async () => {
    const { page, mock, server } = await openConsole(browser())
    mock.faults.add({ status: 503, times: 1 })
    await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
    await send(server, 'PATCH', '/v1/inventory/3', { key: 'wrong', body: '{"quantity":6}' })
    for (const [petId, status, said] of [
      [2, 503, /^Sent again: 200 after \d+ ms$/],
      [3, 401, /^Sent again, with the console's key: 200 after \d+ ms$/],
    ] as const) {
      const details = await openRequest(page, `PATCH /v1/inventory/${petId}`, status)
      await details.getByRole('button', { name: 'Send again' }).click()
      await page.getByText(said).waitFor()
      await details.getByRole('button', { name: 'Close' }).click()
    }
    expect([mock.inventory.get(2)?.quantity, mock.inventory.get(3)?.quantity]).toEqual([5, 6])
  })
})

describe('a request is copied', () => {
  test.skipIf(process.platform === 'win32' || !hasProgram('curl'))(
    'as a line of curl that does the same again (needs curl)',
    async () => {
      const { page, mock, server } = await openConsole(browser(), { context: COPYING })
      await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5,"note":"it\'s $HOME"}' })
      await openRequest(page, 'PATCH /v1/inventory/2', 200)
      const line = await copy(page, 'curl')
      const { stdout } = await promisify(exec)(`${line} --silent --show-error`)
      expect(stdout).toBe('{"petId":2,"quantity":5,"status":"available"}')
      const bodies = mock.journal.entries.map(({ request }) => request.body)
      expect(bodies).toEqual([bodies[0], bodies[0]])
    },
  )
})

describe('what is saved and shared', () => {
  const save = async (page: Page, item: string): Promise<string> => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save and share' }).click()
    await page.getByRole('button', { name: item }).click()
    return text(await (await download).createReadStream())
  }

  test('a fixture with a pet on each line, which the console, the program and code take', async () => {
    const { page, mock } = await openConsole(browser(), { mock: { fixture: 'int64-edges' } })
    await page.getByText('10 pets').waitFor()
    mock.inventory.set('9223372036854775807', { quantity: 77 })
    const before = mock.inventory.list()
    const text = await save(page, 'Download fixture')
    expect(text).toMatch(/^ {4}\{"petId":"9223372036854775807","quantity":77,"status":"\w+"\},?$/m)
    const file = join(await makeFolder(), 'pets.json')
    await writeFile(file, text)
    expect(createMock({ fixture: JSON.parse(text) }).inventory.list()).toEqual(before)
    expect((await runCli('fixture', 'validate', file)).out).toBe(`${file}: ok, 10 pets`)
    mock.load('empty')
    await page.getByText('No pets').waitFor()
    await page.getByLabel('File to open').setInputFiles(file)
    await page.getByText('File loaded').waitFor()
    expect(mock.inventory.list()).toEqual(before)
    const broken = { name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from('{"inventory":[{}]}') }
    await page.getByLabel('File to open').setInputFiles(broken)
    await page.getByText(/^inventory\[0\]\.petId is required\n/).waitFor()
    expect(mock.inventory.list()).toEqual(before)
  })

  test('the journal as HAR, which another tool replays', async () => {
    const { page, server } = await openConsole(browser())
    await send(server, 'GET', '/v1/inventory')
    await send(server, 'PATCH', '/v1/inventory/99', { body: '{"quantity":1}' })
    await page.getByRole('button', { name: 'all 2' }).waitFor()
    const folder = await makeFolder()
    await writeFile(join(folder, 'journal.har'), await save(page, 'Download HAR'))
    const other = await (await browser().newContext()).newPage()
    onTestFinished(() => other.context().close())
    await other.goto(`${server.url}/_mock/icon.svg`)
    await server.close()
    await other.routeFromHAR(join(folder, 'journal.har'), { notFound: 'abort' })
    const answers = await other.evaluate(async () => {
      const headers = { authorization: 'Bearer (hidden)', 'content-type': 'application/json' }
      const all = await fetch('/v1/inventory', { headers })
      const unknown = await fetch('/v1/inventory/99', { method: 'PATCH', headers, body: '{"quantity":1}' })
      return [all.status, (await all.json()).length, unknown.status, (await unknown.json()).message]
    })
    expect(answers).toEqual([200, 10, 404, 'There is no pet 99'])
  })

  test('a link opens to what was on the screen, without the key', async () => {
    const { page, mock } = await openConsole(browser(), { context: COPYING, query: '?sandbox=checkout-7' })
    await page.getByLabel('API key').fill('secret-key')
    const headers = { authorization: 'Bearer demo-key~checkout-7', 'content-type': 'application/json' }
    await mock.fetch('/v1/inventory/99', { method: 'PATCH', headers, body: '{"quantity":1}' })
    for (let sent = 0; sent < 60; sent += 1) await mock.fetch('/v1/inventory', { headers })
    await searchOf(page).fill('patch')
    await openRequest(page, 'PATCH /v1/inventory/99', 404)
    const url = page.url()
    expect(new URL(url).search).toBe('?sandbox=checkout-7&find=patch&request=1')
    // Also where the list no longer has the request, and on a phone, which shows pets at first.
    const alone = await openPage(browser(), url, { viewport: { width: 360, height: 780 } })
    await alone.goto(url.replace('&find=patch', ''))
    await alone.getByRole('region', { name: 'PATCH /v1/inventory/99' }).waitFor()
    await page.getByRole('button', { name: 'Save and share' }).click()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied, for this machine only').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  })
})

import { expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { COPYING, copy } from '../../../console/copy.ts'
import { fill, openConsole, openRequest, requestsOf, searchOf, send } from '../../../console/open-console.ts'
import { runTests } from './run-tests.ts'

const browser = useChromium()

test('requests are found in the whole journal of 500: by words, by pet, by outcome', async () => {
  const { page, mock, server } = await openConsole(browser(), { mock: { journalSize: 500 } })
  await fill(mock, 50)
  await send(server, 'PATCH', '/v1/inventory/3', { body: '{"quantity":5}' })
  await send(server, 'PATCH', '/v1/inventory/33', { body: '{"quantity":5}' })
  mock.faults.add({ status: 503, times: 1 })
  await send(server, 'GET', '/v1/inventory')
  await fill(mock, 497)
  await page.getByText('50 older dropped · --journal-size keeps more').waitFor()
  await page.getByRole('button', { name: 'all 500' }).waitFor()
  await expect.poll(() => requestsOf(page).count()).toBe(50)
  await page.getByRole('button', { name: 'Show older requests' }).click()
  await expect.poll(() => requestsOf(page).count()).toBe(100)
  for (const [words, rows] of [
    ['no pet 33', [/404/]],
    ['pet:3', [/PATCH[\s\S]*200/]],
    ['fault', [/503/]],
    ['4xx', [/404/]],
    ['patch', [/33/, /3/]],
  ] as const) {
    await searchOf(page).fill(words)
    await page.getByText(`${rows.length} found`).waitFor()
    await expect.poll(() => requestsOf(page).allInnerTexts()).toEqual(rows.map((row) => expect.stringMatching(row)))
  }
  await searchOf(page).fill('patch')
  await page.getByRole('button', { name: '4xx 1' }).click()
  await expect.poll(() => requestsOf(page).allInnerTexts()).toEqual([expect.stringContaining('404')])
  expect(await searchOf(page).inputValue()).toBe('patch 4xx')
  // An open request that does not match would stand between the results.
  await openRequest(page, 'PATCH /v1/inventory/33', 404)
  await searchOf(page).fill('patch 2xx')
  await expect.poll(() => requestsOf(page).allInnerTexts()).toEqual([expect.stringContaining('200')])
  await searchOf(page).fill('patch')
  await page.getByRole('button', { name: '5xx or none 0' }).click()
  await page.getByText('No matching requests').waitFor()
  await page.getByRole('button', { name: 'all 2', pressed: false }).click()
  await expect.poll(() => requestsOf(page).count()).toBe(2)
  await searchOf(page).fill('nothing of this')
  await page.getByText('No matching requests').waitFor()
})

test('a request is copied as a test for Vitest that passes, and fails where the mock behaves differently', async () => {
  const { page, mock, server } = await openConsole(browser(), { context: COPYING })
  const body = '{"quantity":5}'
  await send(server, 'GET', '/v1/inventory')
  await send(server, 'PATCH', '/v1/inventory/2', { body })
  await send(server, 'PATCH', '/v1/inventory/99', { body })
  await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":"x"}' })
  await send(server, 'GET', '/v1/inventory', { key: 'wrong' })
  mock.faults.add({ status: 503, times: 1 })
  mock.faults.add({ error: 'reset', times: 1 })
  await send(server, 'PATCH', '/v1/inventory/3', { body })
  await send(server, 'PATCH', '/v1/inventory/4', { body }).catch(() => {})
  const tests: string[] = []
  for (const [name, status] of [
    ['GET /v1/inventory', 200],
    ['PATCH /v1/inventory/2', 200],
    ['PATCH /v1/inventory/99', 404],
    ['PATCH /v1/inventory/2', 400],
    ['GET /v1/inventory', 401],
    ['PATCH /v1/inventory/3', 503],
    ['PATCH /v1/inventory/4', 'none'],
  ] as const) {
    const details = await openRequest(page, name, status)
    tests.push(await copy(page, 'Vitest test'))
    await details.getByRole('button', { name: 'Close' }).click()
  }
  const wrong = tests.map((text) => text.replaceAll(/toBe\(\d+\)|rejects\.toThrow\(\)/g, 'toBe(299)'))
  const statuses = [...tests.map(() => 'passed'), ...wrong.map(() => 'failed')]
  expect(await runTests([...tests, ...wrong])).toEqual(statuses)
})

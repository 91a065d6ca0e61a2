import { expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { book, openDemo, seeStock } from '../../../demo/open-demo.ts'
import { seeFailure } from '../../../demo/see-failure.ts'
import { damage } from './damage.ts'

const browser = useChromium()

const ASIDE = 'The changes of an earlier visit cannot be read.'

test.each([
  ['damaged', '{"version":5,"seeds":[],"sandboxes":[]', 'is not JSON'],
  ['of another version', '{"version":2}', 'is of version 2'],
])('a state %s is set aside, with a message, and the demo begins with its seed', async (_title, text, reason) => {
  const demo = await openDemo(browser())
  await book(demo.page, 1, 64)
  await damage(demo, text)
  const { page } = demo
  await page.getByText(ASIDE).waitFor()
  expect((await page.consoleMessages()).map((message) => message.text()).join()).toContain(reason)
  await seeStock(page, 1, 12)
  await book(page, 1, 65)
  await page.reload()
  await seeStock(page, 1, 65)
  expect(await page.getByText(ASIDE).count()).toBe(0)
})

test('to start again from the seed answers the message about the state', async () => {
  const demo = await openDemo(browser())
  await book(demo.page, 1, 64)
  await damage(demo, '{"version":2}')
  await demo.page.getByText(ASIDE).waitFor()
  await demo.page.getByRole('button', { name: 'Start again' }).click()
  await demo.page.getByText(ASIDE).waitFor({ state: 'detached' })
})

test('with a file missing on the server a sentence says why the mock cannot run; and it starts when the file is there', async () => {
  const { page, site } = await openDemo(browser(), { missing: 'worker.js' })
  await seeFailure(page, /there is no script at http:\/\/localhost:\d+\/worker\.js \(HTTP 404\)/)
  site.restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await seeStock(page, 1, 12)
})

test('on http from another machine a sentence says why the mock cannot run', async () => {
  const { page } = await openDemo(browser(), { host: 'petstore.test' })
  await page.getByRole('heading', { name: 'The demo cannot run here' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain('needs https or localhost, ')
  expect((await page.consoleMessages()).map((message) => message.text()).join()).toMatch(
    /the page http:\/\/petstore\.test:\d+\/\S* has no service workers/,
  )
})

test('without JavaScript the page says that it needs it', async () => {
  const { page } = await openDemo(browser(), { context: { javaScriptEnabled: false } })
  await page.getByText('This page needs JavaScript').waitFor()
})

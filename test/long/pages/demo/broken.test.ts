import { expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { damage } from '../../../demo/damage.ts'
import { book, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

const ASIDE = 'The changes of an earlier visit cannot be read.'

test('a state of another version is set aside, with a message, and the demo begins with its seed', async () => {
  const demo = await openDemo(browser())
  await book(demo.page, 1, 64)
  await damage(demo, '{"version":2}')
  await demo.page.getByText(ASIDE).waitFor()
  await seeStock(demo.page, 1, 12)
})

test('to start again from the seed answers the message about the state', async () => {
  const demo = await openDemo(browser())
  await book(demo.page, 1, 64)
  await damage(demo, '{"version":2}')
  await demo.page.getByText(ASIDE).waitFor()
  await demo.page.getByRole('button', { name: 'Start again' }).click()
  await demo.page.getByText(ASIDE).waitFor({ state: 'detached' })
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

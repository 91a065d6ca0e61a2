import { pathToFileURL } from 'node:url'
import { onTestFinished, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openDemo } from './open-demo.ts'
import { seeFailure } from './see-failure.ts'

const browser = useChromium()

test('a demo opened from a file says that it needs a server', async () => {
  const page = await browser().newPage()
  onTestFinished(() => page.context().close())
  await page.goto(pathToFileURL('dist/demo/index.html').href)
  // The words come only when the page could have started.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await page.getByText('web server').waitFor()
})

test('without service workers a sentence says why the mock cannot run, as in some private windows', async () => {
  const before = (): void => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
  const { page } = await openDemo(browser(), { before })
  await seeFailure(page, /has no service workers/)
})

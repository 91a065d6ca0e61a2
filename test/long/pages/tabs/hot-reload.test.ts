import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { describePolling } from '../../../tabs/describe-polling.ts'
import { openApp } from '../../../tabs/open-app.ts'
import { expectRestart, visitApp } from '../../../tabs/visit-app.ts'

const browser = useChromium()

test('an edit of the file that starts the worker starts it anew with the state, also if a component loads it', async () => {
  await using app = await openApp('react', {
    'src/main.tsx': (text) => text.replace(/^if .*$/m, ''),
    'src/app.tsx': (text) => `import './mock.ts'\n${text}`,
  })
  const page = await visitApp(browser(), app)
  await expectRestart(page, app)
})

describePolling('page')

test('below a base of Vite, the worker answers with the documented workerUrl', async () => {
  const workerUrl = "workerUrl: import.meta.env.BASE_URL + 'mockServiceWorker.js'"
  expect(await readFile(resolve(import.meta.dirname, '../../../../docs/browser.md'), 'utf8')).toContain(workerUrl)
  await using app = await openApp('react', {
    'vite.config.ts': (text) => text.replace('{ plugins', "{ base: '/shop/', plugins"),
    'src/mock.ts': (text) => text.replace('persist: true', workerUrl),
  })
  await visitApp(browser(), app)
  expect(new URL(app.url).pathname).toBe('/shop/')
  expect(app.leaked).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { describePanel } from './describe-panel.ts'
import { openPanel, openReact, START } from './open-panel.ts'

const browser = useChromium()

const POLICY = `<meta http-equiv="Content-Security-Policy" content="style-src 'none'; require-trusted-types-for 'script'">`

describePanel(['chromium'])

describe('the panel in a page of Vite and React', () => {
  test('needs no service worker, no inline style and no text that becomes HTML', async () => {
    const { page } = await openReact(browser(), {
      'src/mock.ts': (text) => START(text).replace('panel', "mode: 'page', panel"),
      'index.html': (text) => text.replace('<head>', `<head>${POLICY}`),
    })
    await openPanel(page)
    const position = await page.locator('.in-page').evaluate((element) => getComputedStyle(element).position)
    expect(position).toBe('fixed')
  })
})

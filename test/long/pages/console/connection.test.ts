import { describe, expect, test } from 'vitest'
import { toService } from '../../../../src/service/mock.ts'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openConsole, stockOf } from '../../../console/open-console.ts'

const browser = useChromium()

const LOST = 'Mock server unreachable. Reconnecting…'

describe('the console and its mock', () => {
  test('a state that could not be loaded is asked for again', async () => {
    const { page } = await openConsole(browser(), {
      prepare: (page) => page.route(/_mock\/state/, (route) => route.abort(), { times: 1 }).then(() => {}),
    })
    await stockOf(page, 1).waitFor()
  })

  test('a sandbox that is forgotten is opened anew, without an alarm', async () => {
    const { page, mock } = await openConsole(browser(), { query: '?sandbox=a' })
    await page.getByText('Live', { exact: true }).waitFor()
    mock.sandbox('a').inventory.set(1, { quantity: 5 })
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('5')
    toService(mock).sandboxes.remove('a')
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('12')
    expect(await page.getByText(LOST).count()).toBe(0)
  })
})

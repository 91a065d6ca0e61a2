import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { findFaults, findOverflow, LOOKS } from '../../../console/find-faults.ts'
import { openConsole } from '../../../console/open-console.ts'
import { VIEWS } from '../../../console/views.ts'

const browser = useChromium()

describe.each(LOOKS)('the console, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  test.each(VIEWS)('$name', async ({ setup, go }) => {
    const context = { colorScheme, viewport: { width, height: 900 } }
    const open = await openConsole(browser(), { ...setup, context })
    await go(open.page, open)
    expect(await findFaults(open.page)).toEqual([])
    expect(await findOverflow(open.page)).toBe(0)
  })
})

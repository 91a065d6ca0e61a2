import type { Browser } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fidelity } from '../../src/index.ts'
import { findFaults } from './find-faults.ts'
import { openConsole, startBrowser } from './open-console.ts'

const FIDELITY: Fidelity = {
  rules: [
    { operation: 'listInventory', rule: 'a valid key is 200', basis: 'specified' },
    {
      operation: 'updateInventory',
      rule: 'petId abc is 400',
      basis: 'decided here',
      seen: { url: 'https://api.petstore.example/v1', date: '2026-11-22', verdict: 'different' },
    },
  ],
}

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
  return () => browser.close()
})

describe('fidelity on the console', () => {
  test('is a table of the rules, in every sandbox', async () => {
    const { page } = await openConsole(browser, { mock: { fidelity: FIDELITY }, query: '?sandbox=a' })
    await page.getByText('1 of 2 rules seen at a real service').waitFor()
    await page.getByText('Show the rules').click()
    const cells = await page.locator('.fidelity tbody td').allTextContents()
    expect(cells).toEqual([
      'listInventory',
      'a valid key is 200',
      'specified',
      'updateInventory',
      'petId abc is 400',
      'seen otherwise at https://api.petstore.example/v1 on 2026-11-22',
    ])
    expect(await findFaults(page)).toEqual([])
  })

  test('is left out without a record', async () => {
    const { page } = await openConsole(browser)
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Fidelity' }).count()).toBe(0)
  })
})

import { expect } from '../../../src/testing/playwright.ts'
import { test } from './shop.ts'

test('toHaveUsedFaults waits until every fault was triggered', async ({ sendFromPage, inventory }) => {
  inventory.faults.add({ status: 503 })
  await expect(inventory).not.toHaveUsedFaults()
  const used = expect(inventory).toHaveUsedFaults()
  await sendFromPage('/inventory')
  await used
})

test.describe('with failOnUnusedFaults', () => {
  test.use({ failOnUnusedFaults: true })

  test('a test may use its faults', async ({ sendFromPage, inventory }) => {
    inventory.faults.add({ status: 503 })
    await sendFromPage('/inventory')
  })

  test('a test fails that leaves a fault unused', async ({ inventory }) => {
    test.fail()
    inventory.faults.add({ status: 503 })
  })
})

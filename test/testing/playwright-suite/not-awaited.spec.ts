import { expect, serverTest } from '../../../src/testing/playwright.ts'
import { test } from './shop.ts'

test('a test fails by a matcher that nobody awaits', async ({ inventory }) => {
  test.fail()
  void expect(inventory).toHaveStock(1, 99)
})

serverTest('a test with a server fails by it, too', async ({ inventory }) => {
  serverTest.fail()
  void expect(inventory).toHaveStock(1, 99)
})

test('a test that fails with a matcher still waiting has its own error alone', async ({ inventory }) => {
  test.fail()
  void expect(inventory).toHaveStock(1, 99)
  throw new Error('The error of the test')
})

test('a matcher that has passed is at its end', async ({ inventory }) => {
  const passed = expect(inventory).toHaveStock(1, 12)
  await passed
})

import { connectMock } from '../../../src/client/connect-mock.ts'
import { expect } from '../../../src/testing/playwright.ts'
import { test, toUpdate } from './shop.ts'

test('matchers wait for what is still to come', async ({ sendFromPage, inventory }) => {
  await expect(inventory).not.toHaveReceived('updateInventory')
  const received = expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 5 }, times: 1 })
  const stocked = expect(inventory).toHaveStock(1, 5)
  await sendFromPage('/inventory/1', toUpdate(5))
  await Promise.all([received, stocked])
})

test('a matcher that fails shows the nearest requests', async ({ sendFromPage, inventory }) => {
  await sendFromPage('/inventory/2', toUpdate(5))
  const brief = expect.configure({ timeout: 50 })
  await expect(brief(inventory).toHaveReceived('updateInventory', { petId: 1 })).rejects.toThrow(
    'PATCH /v1/inventory/2 {"quantity":5}: it is for pet 2',
  )
  await expect(brief(inventory).toHaveStock(2, 6)).rejects.toThrow('Expected pet 2 to have a stock of 6: it has 5.')
  await expect(brief(inventory).not.toHaveStock(2, 5)).rejects.toThrow('Expected pet 2 not to have a stock of 5')
  await expect(brief(inventory).not.toHaveStock(99, 5)).rejects.toThrow('it is not there')
})

test('a matcher that waits reads the whole journal of a server once', async ({ inventory }) => {
  const asked: string[] = []
  const remote = connectMock('http://mock.test', {
    fetch: (url, init) => {
      asked.push(url.search)
      return inventory.fetch(url, init)
    },
  })
  const brief = expect.configure({ timeout: 50 })
  await expect(brief(remote).toHaveReceived('listInventory')).rejects.toThrow('It received no requests.')
  expect(asked.filter((search) => !search.includes('operation='))).toHaveLength(1)
})

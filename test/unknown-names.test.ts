import { expect, onTestFinished, test } from 'vitest'
import { connectMock } from '../src/client/connect-mock.ts'
import { createMock, generateFixture } from '../src/index.ts'
import { interceptRequests } from '../src/runtimes/node.ts'
import { serve } from '../src/runtimes/server.ts'

const mock = createMock()

test.each<[string, () => unknown, string]>([
  ['serve', () => serve(mock, { prot: 1 } as never), 'prot is not known. Did you mean port?'],
  ['serve', () => serve(mock, 4100 as never), 'the options must be an object with port, host'],
  [
    'interceptRequests',
    () => interceptRequests(mock, { onUnhandled: 'warn' } as never),
    'onUnhandled is not known. Known: onUnhandledRequest.',
  ],
  [
    'interceptRequests',
    () => interceptRequests(mock, { onUnhandledRequest: 'ignore' as never }),
    'onUnhandledRequest must be one of bypass, warn, error, got "ignore" (string).',
  ],
  [
    'connectMock',
    () => connectMock('http://127.0.0.1:1', { sandbx: 'a' } as never),
    'sandbx is not known. Did you mean sandbox?',
  ],
  ['createMock', () => createMock({ apiKey: 'a' } as never), 'apiKey is not known. Did you mean apiKeys?'],
  ['generateFixture', () => generateFixture({ pets: 1, seed: 2 } as never), 'seed is not known.'],
  [
    'inventory.set',
    () => mock.inventory.set(1, 5 as never),
    'the change must be an object with quantity, status, got 5',
  ],
  ['inventory.set', () => mock.inventory.set(1, { qty: 5 } as never), 'qty is not known.'],
  ['mock.use', () => mock.use([] as never), '[0] must be an msw request handler'],
  ['journal.find', () => mock.journal.find({ petID: 1 } as never), 'petID is not known. Did you mean petId?'],
  ['faults.add', () => mock.faults.add({ statu: 503 } as never), 'statu is not known. Did you mean status?'],
])('%s refuses what it does not understand, by name', async (_, call, message) => {
  await expect(async () => call()).rejects.toThrow(
    expect.objectContaining({ name: 'MockError', message: expect.stringContaining(message) }),
  )
})

test.each([
  ['POST', '/_mock/reset?sandbx=t1', 'sandbx is not known. Did you mean sandbox?'],
  ['POST', '/_mock/reset?sandbox=a&sandbox=b', 'sandbox is given twice'],
  ['GET', '/_mock/journal?petID=1', 'petID is not known. Did you mean petId?'],
  ['GET', '/_mock/pets?wher={}', 'wher is not known. Did you mean where?'],
  ['GET', '/_mock/metrics?sandbox=a', 'sandbox is not known. None are allowed here.'],
  ['GET', '/_mock/health?__proto__=1', '__proto__ is not known'],
])('%s %s is a 400, and nothing happens', async (method, path, message) => {
  mock.inventory.set(1, { quantity: 77 })
  onTestFinished(() => mock.reset())
  const response = await mock.fetch(path, { method })
  const { message: told } = (await response.json()) as { message: string }
  expect([response.status, told]).toEqual([400, expect.stringContaining(message)])
  expect(mock.inventory.get(1)?.quantity).toBe(77)
})

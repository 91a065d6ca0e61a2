import { expect, onTestFinished, test } from 'vitest'
import { connectMock } from '../src/client/connect-mock.ts'
import { createMock } from '../src/index.ts'
import { createHandlers } from '../src/msw/create-handlers.ts'
import { parseWorkerOptions } from '../src/runtimes/browser/worker-options.ts'
import { interceptRequests } from '../src/runtimes/node.ts'
import { routeRequests } from '../src/runtimes/playwright/route-requests.ts'
import { serve } from '../src/runtimes/server.ts'
import { toHaveReceived } from '../src/testing/matchers.ts'
import { defineTest } from '../src/testing/vitest.ts'

const mock = createMock()
const remote = connectMock('http://127.0.0.1:1')
const PET = { petId: 77, quantity: 1, status: 'sold' } as const

type Row = [name: string, call: () => unknown, message: string]

test.each<Row>([
  ['serve', () => serve(mock, { prot: 1 } as never), 'prot … port?'],
  ['serve', () => serve(mock, { tls: { cret: '', key: '' } } as never), 'tls.cret … cert?'],
  ['serve', () => serve(mock, { port: 70_000 }), 'port must be a whole number from 0 to 65535, got 70000'],
  ['interceptRequests', () => interceptRequests(mock.sandbox('a') as never), 'createMock() returns, got a sandbox'],
  ['interceptRequests', () => interceptRequests(mock, { onUnhandled: 'warn' } as never), 'onUnhandled … onUnhandledR'],
  ['createHandlers', () => createHandlers(undefined as never), 'the first argument must be a mock'],
  ['routeRequests', () => routeRequests({} as never, {} as never), 'the first argument must be a mock'],
  ['startWorker', () => parseWorkerOptions({ persit: true } as never), 'persit … persist?'],
  ['defineTest', () => defineTest({ fixtrue: 'empty' } as never), 'fixtrue … fixture?'],
  ['connectMock', () => connectMock('http://127.0.0.1:1', { sandbx: 'a' } as never), 'sandbx … sandbox?'],
  ['createMock', () => createMock({ apiKey: 'a' } as never), 'apiKey … apiKeys?'],
  ['createMock', () => createMock({ quantity: { mn: 1 } } as never), 'quantity.mn … min?'],
  ['mock.use', () => mock.use([] as never), '[0] must be an msw request handler'],
  ['mock.onChange', () => mock.onChange(5 as never), 'the listener must be a function, got 5 (number).'],
  ['mock.setDelay', () => mock.setDelay('fast'), 'the delay must be milliseconds'],
  ['inventory.count', () => mock.inventory.count({ take: 1 } as never), 'take … where'],
  ['toHaveReceived', () => toHaveReceived(mock, 'getPet', { tims: 1 } as never), 'tims … times?'],
  ['toHaveReceived', () => toHaveReceived(mock, 'getPet', { times: '1' } as never), 'times must be an integer'],
  ['toHaveReceived', () => toHaveReceived(mock, 'getPt' as never), 'got "getPt" (string). Did you mean getPet?'],
  ['faults.add', () => mock.faults.add({ statu: 503 } as never), 'statu … status?'],
  ...[mock, remote].flatMap(({ inventory, journal, faults }): Row[] => [
    ['inventory.set', () => inventory.set(1, {}), 'it needs quantity or status'],
    ['inventory.set', () => inventory.set(1, { qty: 5 } as never), 'qty'],
    ['inventory.add', () => inventory.add({ ...PET, statuss: 'sold' } as never), 'statuss … status?'],
    ['journal.find', () => journal.find({ petID: 1 } as never), 'petID … petId?'],
    ['faults.add', () => faults.add({ petId: undefined, status: 503 } as never), 'petId is undefined. Leave it out'],
    ['faults.add', () => faults.add({ operation: undefined, status: 503 } as never), 'operation is undefined'],
    ['inventory.findMany', () => inventory.findMany({ where: { petId: undefined } } as never), 'where.petId'],
    ['inventory.count', () => inventory.count({ where: { quantity: { lte: undefined } } } as never), 'quantity.lte'],
    ...(['operation', 'petId', 'status', 'body', 'headers'] as const).flatMap((name): Row[] => [
      ['journal.find', () => journal.find({ [name]: undefined }), `${name} is undefined. Leave it out`],
      ['journal.last', () => journal.last({ [name]: undefined }), `${name} is undefined. Leave it out`],
    ]),
  ]),
  ['toHaveReceived', () => toHaveReceived(remote, 'getPet', { petId: undefined } as never), 'petId is undefined'],
  ['toHaveReceived', () => toHaveReceived(mock, { petId: 1 } as never), 'the operation must be one of listInventory'],
])('%s refuses what it does not understand, by name', async (_, call, message) => {
  await expect(async () => call()).rejects.toThrow(
    expect.objectContaining({ name: 'MockError', message: expect.stringMatching(toPattern(message)) }),
  )
  expect(mock.faults.list()).toEqual([])
})

test('undefined is accepted where it selects nothing', async () => {
  const own = createMock()
  const fault = { petId: 1, status: 503, body: undefined, times: undefined, delay: undefined, after: undefined }
  own.faults.add(fault as never)
  expect(own.faults.list()).toHaveLength(1)
  expect(own.journal.find({ after: own.journal.last()?.id } as never)).toEqual([])
  const options = { apiKey: undefined, sandbox: undefined } as never
  expect(connectMock('http://mock.test', options)).toMatchObject({ name: 'default', apiKey: 'demo-key' })
  expect(toHaveReceived(own, 'updateInventory', { times: undefined } as never)).toMatchObject({ pass: false })
})

test.each([
  ['GET', '/_mock/journal?petID=1', 'petID … petId?'],
  ['GET', '/_mock/health?__proto__=1', '__proto__'],
])('%s %s is a 400, and nothing happens', async (method, path, message) => {
  mock.inventory.set(1, { quantity: 77 })
  onTestFinished(() => mock.reset())
  const response = await mock.fetch(path, { method })
  const { message: told } = (await response.json()) as { message: string }
  expect([response.status, told]).toEqual([400, expect.stringMatching(toPattern(message))])
  expect(mock.inventory.get(1)?.quantity).toBe(77)
})

test('close refuses a misspelled option, and the server goes on', async () => {
  const server = await serve(mock)
  onTestFinished(() => server.close())
  await expect(server.close({ grac: 1 } as never)).rejects.toThrow(/grac .*grace\?/)
  expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200)
})

test('controls can be passed as callbacks, which get other arguments', async () => {
  const other = createMock()
  other.inventory.set(1, { quantity: 77 })
  // A runner passes its context, and waits for a callback if the function has a parameter.
  await Promise.resolve({ inventory: other.inventory }).then(other.reset)
  expect(other.inventory.get(1)?.quantity).toBe(12)
  expect([other.reset.length, remote.reset.length]).toEqual([0, 0])
})

/** The names and values of a sentence: `…` stands for words, which are tested where they are written. */
function toPattern(parts: string): RegExp {
  return new RegExp(parts.split(' … ').map(RegExp.escape).join('.*'))
}

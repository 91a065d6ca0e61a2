import { expect, test } from 'vitest'
import { connectMock } from '../src/client/connect-mock.ts'
import { createMock } from '../src/index.ts'
import { toHaveReceived } from '../src/testing/matchers.ts'

const mock = createMock()
const remote = connectMock('http://mock.test', { fetch: (url, init) => mock.fetch(url, init) })

const PET = 'petId is undefined. Leave it out to match every pet.'
const OPERATION = 'operation is undefined. Leave it out to match every operation.'
const FILTERS = [
  ['operation', OPERATION],
  ['petId', PET],
  ['status', 'status is undefined. Leave it out to match every status.'],
  ['body', 'body is undefined. Leave it out to match any body.'],
  ['headers', 'headers is undefined. Leave it out to match any headers.'],
] as const

type Row = [name: string, call: () => unknown, message: string]

test.each<Row>([
  ...[mock, remote].flatMap(({ faults, journal }): Row[] => [
    ['faults.add', () => faults.add({ petId: undefined, status: 503 } as never), PET],
    ['faults.add', () => faults.add({ operation: undefined, status: 503 } as never), OPERATION],
    ...FILTERS.flatMap(([name, message]): Row[] => [
      ['journal.find', () => journal.find({ [name]: undefined }), message],
      ['journal.last', () => journal.last({ [name]: undefined }), message],
    ]),
  ]),
  ...[mock, remote].flatMap((target) =>
    FILTERS.slice(1).map(([name, message]): Row => {
      return ['toHaveReceived', () => toHaveReceived(target, 'updateInventory', { [name]: undefined }), message]
    }),
  ),
  ...[mock, remote].flatMap(({ inventory }): Row[] => [
    ['inventory.findMany', () => inventory.findMany({ where: { petId: undefined } } as never), 'where.petId'],
    [
      'inventory.findMany',
      () => inventory.findMany({ where: { petId: { equals: undefined } } } as never),
      'where.petId.equals',
    ],
    ['inventory.count', () => inventory.count({ where: { quantity: { lte: undefined } } } as never), 'quantity.lte'],
  ]),
  ...[undefined, null, {}, [], { petId: 1 }].map((requests): [string, () => unknown, string] => [
    'toHaveReceived',
    () => toHaveReceived(mock, requests as never),
    'the operation must be one of listInventory',
  ]),
])('%s refuses a selection by undefined, which would select everything', async (_, call, message) => {
  await expect(async () => call()).rejects.toThrow(
    expect.objectContaining({ name: 'MockError', message: expect.stringContaining(message) }),
  )
  expect(mock.faults.list()).toEqual([])
})

test('undefined is accepted where it selects nothing', async () => {
  const fault = { petId: 1, status: 503, body: undefined, times: undefined, delay: undefined, after: undefined }
  mock.faults.add(fault as never)
  await remote.faults.add(fault as never)
  expect(mock.faults.list()).toHaveLength(2)
  mock.reset()
  expect(mock.journal.find({ after: mock.journal.last()?.id } as never)).toEqual([])
  const options = { apiKey: undefined, sandbox: undefined } as never
  expect(connectMock('http://mock.test', options)).toMatchObject({ name: 'default', apiKey: 'demo-key' })
  expect(toHaveReceived(mock, 'updateInventory', { times: undefined } as never)).toMatchObject({ pass: false })
})

import type { RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { startTarget } from '../wire/start-server.ts'
import { runCli, startCli } from './run-cli.ts'

async function serveMock(options: MockOptions): Promise<string> {
  const server = await serve(createMock(options))
  onTestFinished(() => server.close())
  return server.url
}

async function expectRefused(sentence: string, ...argv: string[]): Promise<void> {
  const message = expect.stringMatching(new RegExp(`^petstore-mock: ${sentence}$`))
  expect(await runCli('record', ...argv)).toEqual({ code: 2, out: '', err: message })
}

describe('petstore-mock record', () => {
  test.each([
    ['at the root', { baseUrl: '/', fixture: 'low-stock' }, '/', ''],
    ['below /v1', { fixture: 'low-stock' }, '', '/v1'],
    ['at a path', { baseUrl: '/api', fixture: 'low-stock' }, '/api/', '/api'],
  ])('prints a fixture of a service %s', async (_, options, path, found) => {
    const origin = await serveMock(options)
    const { code, out, err } = await runCli('record', origin + path)
    const inventory = createMock({ fixture: 'low-stock' }).inventory.list()
    expect([code, JSON.parse(out), err]).toEqual([0, { description: `Recorded from ${origin}${found}`, inventory }, ''])
  })

  test('gives ids beyond 2^53 exactly', async () => {
    const ids = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '9007199254740992', '0']
    const pets = ids.map((petId) => `{"petId":${petId},"quantity":1.0,"status":"sold"}`)
    const url = await startTarget((_request, response) => void response.end(`\uFEFF[${pets.join(' ,\n')}]`))
    const { code, out } = await runCli('record', url)
    const { inventory } = JSON.parse(out) as { inventory: { petId: unknown }[] }
    expect([code, inventory.map(({ petId }) => String(petId))]).toEqual([0, ids])
  })

  test('refuses what is no service, or not where it is', async () => {
    await expectRefused('.* "nope": it is not the URL of a service\\. .*', 'nope')
    await expectRefused('.* cannot be reached: .*', 'http://127.0.0.1:1')
    const v1 = await serveMock({})
    await expectRefused('.* is 401: the key is rejected\\. .*', v1, '-k', 'no')
    await expectRefused('.* with the base path alone: .*', `${v1}/v1/inventory`)
    const api = await serveMock({ baseUrl: '/api' })
    await expectRefused(`.* GET ${api}/inventory is 404\\..*`, api)
    const down = await startTarget((_request, response) => void response.writeHead(500).end())
    await expectRefused('\\S+/v1/inventory responded with 500 instead of 200\\.', down)
  })

  test.each<[string, RequestListener]>([
    ['rest', (_request, response) => void response.write('[')],
    ['rest of a response that breaks off', (_request, response) => void response.write('[', () => response.destroy())],
    ['response', () => {}],
  ])('does not wait longer than --timeout for the %s', async (_, listener) => {
    const url = await startTarget(listener)
    const sentence = `${url} did not send its whole list in 0.1 s. Raise the limit with --timeout.`
    await expectRefused(sentence, url, '--timeout', '100ms')
  })

  test('ends with Ctrl-C while it waits, and 130', async () => {
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
    const url = await startTarget((_request, response) => void response.write('[', () => ask()))
    const run = startCli('record', url)
    await isAsked
    expect([await run.stop(), run.out(), run.err()]).toEqual([130, '', ''])
  })

  test.each<[string | Buffer, string]>([
    ['[]}', 'is not JSON'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'nested more than 1000 levels deep'],
    ['{"inventory":[]}', 'must be a list of pets, got {"inventory":[]} (object)'],
    ['[{"petId":{"toString":1},"quantity":1,"status":"sold"}]', 'inventory[0].petId: must be an int64'],
    [`[${Array(101).fill(1).join(',')}]`, '/v1/inventory: and more'],
    [Buffer.from([0x5b, 0xff, 0x5d]), 'is not UTF-8'],
  ])('refuses the list %o by name', async (body, message) => {
    const url = await startTarget((_request, response) => void response.end(body))
    const { code, out, err } = await runCli('record', url)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`petstore-mock: ${url}/v1/inventory: `)
    expect(err).toContain(message)
  })
})

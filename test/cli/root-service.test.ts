import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveOther } from '../check/other-service.ts'
import { runCli } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const atRoot = () => serve(createMock({ baseUrl: '/', fixture: 'low-stock' }))

const folder = await makeSharedFolder()

describe('a URL without a path names a service at the root too', () => {
  test.each([
    ['check', ['--write'], / 0 failed, .*: http:\/\/127\.0\.0\.1:\d+$/m],
    ['check', ['--diff'], /^0 of \d+ cases differ, .*: http:\/\/127\.0\.0\.1:\d+$/m],
    [
      'check',
      ['--write', '--profile', 'FOLDER/profile.json'],
      /0 of \d+ points differ, .*: http:\/\/127\.0\.0\.1:\d+$/m,
    ],
    ['record', [], /"Recorded from http:\/\/127\.0\.0\.1:\d+"/],
  ])('%s %j', async (command, flags, expected) => {
    await using server = await atRoot()
    const { code, out, err } = await runCli(
      command,
      `${server.url}/`,
      ...flags.map((flag) => flag.replace('FOLDER', folder)),
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(expected)
  })

  test('record names the address that does not respond in time', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/v1/inventory') response.writeHead(404).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await runCli('record', origin, '--timeout', '1')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`: ${origin}/inventory did not send its whole response in 1 s`),
    ])
  })

  test('below /v1 it is asked for first, and the root is left alone', async () => {
    await using service = await serveOther()
    const { origin } = new URL(service.url)
    const { code, out } = await runCli('record', origin)
    expect([code, out]).toEqual([0, expect.stringContaining(`"Recorded from ${origin}/v1"`)])
    expect(service.requests).toEqual(['GET /v1/inventory'])
  })

  test.each([
    [
      'check',
      'there is no inventory at ORIGIN/v1/inventory or ORIGIN/inventory (404). Pass the URL with its base path.',
    ],
    [
      'record',
      'ORIGIN/v1/inventory and ORIGIN/inventory responded with 404 instead of 200. Pass the URL with its base path.',
    ],
  ])('%s names both addresses if there is no inventory at either', async (command, sentence) => {
    await using server = await serve(createMock({ baseUrl: '/api' }))
    const { code, err } = await runCli(command, server.url)
    expect([code, err]).toEqual([2, expect.stringContaining(sentence.replaceAll('ORIGIN', server.url))])
  })
})

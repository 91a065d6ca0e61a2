import { describe, expect, test } from 'vitest'
import { type RunCheckOptions, runCheck } from '../../src/check/run-check.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveAltered } from './broken-mocks.ts'

const check = async (options?: RunCheckOptions) => (await runCheck(options)).report

describe('runCheck', () => {
  test('checks a mock of its own where it is given no address', async () => {
    const report = await check({ apiKey: 'own-key' })
    expect(report).toMatchObject({ url: undefined, failed: 0, differs: 0, skipped: 0 })
    expect(report.passed).toBe(report.cases.length)
    expect(report.cases[0]).toEqual({
      operation: 'listInventory',
      case: 'a valid key is 200',
      source: 'specification',
      section: '4.1',
      status: 200,
      expected: 200,
      verdict: 'passed',
      violations: [],
      durationMs: expect.any(Number),
    })
  })

  test('checks a running service under its base path', async () => {
    await using server = await serve(createMock({ baseUrl: '/api/v2', fixture: 'empty' }))
    const report = await check({ url: `${server.url}/api/v2/` })
    expect(report).toMatchObject({ url: `${server.url}/api/v2`, failed: 0, differs: 0 })
    expect(report.skipped).toBeGreaterThan(20)
  })

  test('does not hold a service of somebody else to our decisions', async () => {
    await using server = await serveAltered({
      alter: (answer) => {
        answer.headers.delete('www-authenticate')
        return answer
      },
    })
    const report = await check({ url: server.url, write: true })
    expect(report).toMatchObject({ failed: 0, differs: 1, skipped: 3 })
    const [differing] = report.cases.filter(({ verdict }) => verdict === 'differs')
    expect(differing).toMatchObject({ case: '401 names Bearer in WWW-Authenticate', source: 'decision' })
  })

  test('says in one sentence that a service cannot be reached', async () => {
    const { port, close } = await serve(createMock())
    await close()
    await expect(check({ url: `http://localhost:${port}` })).rejects.toMatchObject({
      name: 'MockError',
      code: 'CHECK_FAILED',
      message: expect.stringMatching(
        new RegExp(
          `^Failed to check http://localhost:${port}/v1: .*ECONNREFUSED.*\\. Check that the service is running, and that the URL is right\\.$`,
        ),
      ),
    })
  })

  test.for(['localhost:4100', 'petstore', '', 'ftp://127.0.0.1', 'http://key@127.0.0.1', 'http://127.0.0.1/v1?a=b'])(
    '%j is no address',
    async (url) => {
      await expect(check({ url })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    },
  )

  test('only reads from a running service unless it is told to write', async () => {
    const mock = createMock()
    await using server = await serve(mock)
    const before = mock.inventory.list()
    const report = await check({ url: server.url })
    expect(report).toMatchObject({ failed: 0 })
    expect(mock.journal.find({ operation: 'updateInventory' })).toEqual([])
    expect(report.cases.filter(({ verdict }) => verdict === 'skipped').length).toBeGreaterThan(20)
    expect(mock.inventory.list()).toEqual(before)
  })

  describe('says in one sentence, before any case, that', () => {
    test('the key is refused', async () => {
      await using server = await serve(createMock({ apiKeys: ['other-key'] }))
      await expect(check({ url: server.url })).rejects.toThrow(
        /^Failed to check \S+: GET \/inventory rejects the key \(401\)\. Pass a valid one with --api-key\.$/,
      )
    })

    test('the base path is wrong', async () => {
      await using server = await serve(createMock())
      await expect(check({ url: `${server.url}/v2` })).rejects.toThrow(/ is 404\. Is the base path missing/)
      const url = `${server.url}/v1/inventory`
      const sentence = `there is no inventory at ${url}/inventory (405). Pass the base path alone: ${server.url}/v1`
      await expect(check({ url })).rejects.toThrow(sentence)
    })

    test.each<[string, Response, RegExp]>([
      [
        'a website answers',
        new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } }),
        /returns a page/,
      ],
      ['it redirects', new Response(null, { status: 302, headers: { location: '/login' } }), /redirects to \/login\./],
      [
        'it redirects to an address with credentials, which are hidden',
        new Response(null, { status: 302, headers: { location: 'http://u:MARKPW@127.0.0.1/x?token=MARKTOK' } }),
        /redirects to http:\/\/\(hidden\)@127\.0\.0\.1\/x\?token=\(hidden\)\./,
      ],
      [
        'the body is not what its head says',
        new Response('[]', { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } }),
        /not in the encoding that Content-Encoding names/,
      ],
    ])('%s', async (_, response, reason) => {
      await using server = await serveAltered({ alter: () => response.clone() })
      await expect(check({ url: server.url })).rejects.toThrow(reason)
    })

    test('a plain service was asked over https', async () => {
      await using server = await serve(createMock())
      await expect(check({ url: server.url.replace('http:', 'https:') })).rejects.toThrow(
        'the server speaks http, not https',
      )
    })

    test('there is no such pet to update', async () => {
      await using server = await serve(createMock())
      await expect(check({ url: server.url, write: true, petIds: ['77'] })).rejects.toThrow('it has no pet 77')
    })
  })

  test('gives up where the whole run takes too long', async () => {
    const mock = createMock()
    mock.faults.add({ error: 'timeout' })
    await using server = await serve(mock)
    await expect(check({ url: server.url, limitMs: 100 })).rejects.toThrow('the time limit of the check was reached')
    mock.reset()
  })

  test('gives up before it starts', async () => {
    await expect(check({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

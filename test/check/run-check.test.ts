import { describe, expect, test } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveAltered } from './broken-doubles.ts'

describe('runCheck', () => {
  test('checks a mock of its own where it is given no address', async () => {
    const report = await runCheck({ apiKey: 'own-key' })
    expect(report).toMatchObject({ url: undefined, failed: 0, differs: 0, skipped: 0 })
    expect(report.passed).toBe(report.cases.length)
    expect(report.cases[0]).toEqual({
      operation: 'listInventory',
      case: 'a valid key is 200',
      source: 'specification',
      status: 200,
      expected: 200,
      verdict: 'passed',
      violations: [],
      durationMs: expect.any(Number),
    })
  })

  test('checks a running service under its base path', async () => {
    await using server = await serve(createMock({ baseUrl: '/api/v2', fixture: 'empty' }))
    const report = await runCheck({ url: `${server.url}/api/v2/` })
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
    const report = await runCheck({ url: server.url })
    expect(report).toMatchObject({ failed: 0, differs: 1, skipped: 0 })
    const [differing] = report.cases.filter(({ verdict }) => verdict === 'differs')
    expect(differing).toMatchObject({ case: '401 names Bearer in WWW-Authenticate', source: 'decision' })
  })

  test('says in one sentence that a service cannot be reached', async () => {
    const { port, close } = await serve(createMock())
    await close()
    await expect(runCheck({ url: `http://localhost:${port}` })).rejects.toMatchObject({
      name: 'MockError',
      code: 'CHECK_FAILED',
      message: expect.stringMatching(
        new RegExp(
          `^Failed to check http://localhost:${port}/v1: .*ECONNREFUSED.*\\. See that the service runs, and that this is its address\\.$`,
        ),
      ),
    })
  })

  test.for(['localhost:4100', 'petstore', '', 'ftp://127.0.0.1', 'http://key@127.0.0.1', 'http://127.0.0.1/v1?a=b'])(
    '%j is no address',
    async (url) => {
      await expect(runCheck({ url })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    },
  )

  test('gives up before it starts', async () => {
    await expect(runCheck({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaseResult } from '../../src/check/check-report.ts'
import { type CheckServiceOptions, checkService } from '../../src/check/check-service.ts'
import { surveyService } from '../../src/check/conformance/survey.ts'
import { CONFORMANCE_PACK } from '../../src/check/conformance-pack.ts'
import { type Judge, startJudge } from '../../src/check/judge.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { BROKEN_DOUBLES, type BrokenDouble, serveAltered } from './broken-doubles.ts'

describe('checkService', () => {
  let judge: Judge
  beforeAll(async () => {
    judge = await startJudge()
  })
  afterAll(() => judge?.close())

  async function check(
    double: Partial<BrokenDouble>,
    options?: Partial<CheckServiceOptions>,
  ): Promise<readonly CaseResult[]> {
    await using server = await serveAltered(double)
    return await checkServer(server, options)
  }

  async function checkServer(
    { url }: RunningServer,
    { signal, ...options }: Partial<CheckServiceOptions> & { signal?: AbortSignal } = {},
  ): Promise<readonly CaseResult[]> {
    const service = { url: `${url}/v1`, apiKey: 'demo-key', signal }
    const survey = await surveyService(service)
    return checkService({ ...service, judge }, { survey, isForeign: false, ...options })
  }

  test('the titles of an operation are told apart', () => {
    const names = CONFORMANCE_PACK.map(({ operation, title }) => `${operation}: ${title}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test.for(['default', 'int64-edges', 'sold-out'])('the mock passes with the fixture %s', async (fixture) => {
    const results = await check({ options: { fixture } })
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
    expect(results.length).toBe(CONFORMANCE_PACK.length + 1)
  })

  test('leaves the state as it found it', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    await using server = await serve(mock)
    await checkServer(server)
    expect(mock.inventory.list()).toEqual(before)
  })

  test('leaves the state as it found it where it is given up in the middle', async () => {
    const abort = new AbortController()
    const mock = createMock()
    const before = mock.inventory.list()
    await using server = await serve(mock, {
      log: ({ method, status }) => {
        if (method === 'PATCH' && status === 200) abort.abort(new Error('enough'))
      },
    })
    await expect(checkServer(server, { signal: abort.signal })).rejects.toThrow('enough')
    expect(mock.inventory.list()).toEqual(before)
  })

  test('an empty inventory skips what needs a pet', async () => {
    const results = await check({ options: { fixture: 'empty' } })
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['passed', 'skipped']))
    const skipped = results.filter(({ verdict }) => verdict === 'skipped')
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['there is no pet to update']))
    expect(skipped.map((each) => each.case)).toContain('the next list shows the new quantity')
    expect(results.find((each) => each.case === 'an unknown pet is 404')?.verdict).toBe('passed')
  })

  test('a key that is not valid fails the list and skips what needs a pet', async () => {
    const results = await check({ options: { apiKeys: ['other-key'] } })
    expect(results[0]).toMatchObject({
      case: 'a valid key is 200',
      status: 401,
      verdict: 'failed',
      violations: ['The status is 401 and should be 200'],
    })
    expect(results.at(-1)).toMatchObject({ verdict: 'skipped', reason: 'the inventory could not be read (401)' })
  })

  test.for(BROKEN_DOUBLES)('fails a mock with $title', async (double) => {
    const pack = CONFORMANCE_PACK.filter(({ title }) => double.failed.includes(title))
    const results = await check(double, { pack })
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map((each) => each.case)).toEqual(expect.arrayContaining([...double.failed]))
    const first = failed.find((each) => each.case === double.failed[0])
    expect(first?.violations).toContainEqual(
      double.violation instanceof RegExp ? expect.stringMatching(double.violation) : double.violation,
    )
  })

  const RANGE: MockOptions = { quantity: { min: 0, max: 1000 } }

  test("a service of somebody else's may decide otherwise where the specification is silent", async () => {
    const results = await check({ options: RANGE }, { isForeign: true })
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toMatchObject([
      { case: 'a negative quantity is 200', verdict: 'differs', violations: ['The status is 400 and should be 200'] },
      { case: 'quantity 2^53−1 is 200', verdict: 'differs' },
    ])
  })

  test("a service of somebody else's may not break the specification by it", async () => {
    const alter: BrokenDouble['alter'] = (answer) =>
      answer.status === 400 ? new Response(null, { status: 422 }) : answer
    const results = await check({ options: RANGE, alter }, { isForeign: true })
    expect(results.find((each) => each.case === 'a negative quantity is 200')).toMatchObject({
      verdict: 'failed',
      violations: [
        'The status is 422 and should be 200',
        'The status 422 is none that the specification lists for updateInventory: 200, 400, 401, 404',
      ],
    })
  })
})

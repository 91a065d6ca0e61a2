import { beforeAll, describe, expect, test } from 'vitest'
import { CASES } from '../../src/check/cases.ts'
import { type CheckServiceOptions, checkService } from '../../src/check/check-service.ts'
import { type Judge, loadJudge } from '../../src/check/judge.ts'
import type { CaseResult } from '../../src/check/report.ts'
import type { RestoredStock } from '../../src/check/restored-stock.ts'
import { surveyService } from '../../src/check/survey.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { BROKEN_MOCKS, type BrokenMock, serveAltered } from './broken-mocks.ts'

/** Without the bisection of a profile. */
const CASES_RUN = CASES.filter(({ isForProfile }) => !isForProfile)

describe('checkService', () => {
  let judge: Judge
  beforeAll(async () => {
    judge = await loadJudge()
  })

  async function check(
    double: Partial<BrokenMock>,
    options?: Partial<CheckServiceOptions>,
  ): Promise<readonly CaseResult[]> {
    await using server = await serveAltered(double)
    return await checkServer(server, options)
  }

  async function checkServer(
    { url }: RunningServer,
    {
      signal,
      responseLimitMs,
      ...options
    }: Partial<CheckServiceOptions> & { signal?: AbortSignal; responseLimitMs?: number } = {},
  ): Promise<readonly CaseResult[]> {
    const service = { url: `${url}/v1`, apiKey: 'demo-key', signal, responseLimitMs }
    const { survey } = await surveyService(service)
    const checked = { survey, judge, cases: CASES_RUN, isForeign: false, mayWrite: true, ...options }
    return (await checkService(service, checked)).results
  }

  test('the titles of an operation are told apart', () => {
    const names = CASES_RUN.map(({ operation, title }) => `${operation}: ${title}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test.for([
    ['default', 3],
    ['int64-edges', 0],
    ['sold-out', 7],
  ] as const)('the mock passes with the fixture %s', async ([fixture, skipped]) => {
    const results = await check({ options: { fixture } })
    const others = results.filter(({ verdict }) => verdict !== 'passed')
    expect(others.map(({ reason }) => reason)).toEqual(
      Array(skipped).fill(expect.stringMatching(/^no pet (has an id beyond 2\^53|is available$|is pending$)/)),
    )
    expect(results.length).toBe(CASES_RUN.length + 1)
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
    expect(skipped.map(({ reason }) => reason)).toContain('there is no pet to update')
    expect(skipped.map((each) => each.case)).toContain('a new quantity is echoed and listed')
    expect(results.find((each) => each.case === 'an unknown pet is 404')?.verdict).toBe('passed')
  })

  test('without leave to write it only reads', async () => {
    const mock = createMock()
    await using server = await serve(mock)
    const results = await checkServer(server, { mayWrite: false, isForeign: true })
    expect(new Set(mock.journal.entries.map(({ request }) => request.method))).toEqual(new Set(['GET']))
    const skipped = results.filter(({ operation }) => operation === 'updateInventory')
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['updates are only sent with --write']))
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(8)
  })

  test('updates the pets that it may, and no other', async () => {
    const mock = createMock()
    await using server = await serve(mock)
    const { survey } = await surveyService({ url: `${server.url}/v1`, apiKey: 'demo-key' }, { petIds: ['3', '5'] })
    mock.journal.clear()
    const restored: unknown[] = []
    await checkServer(server, { survey, onRestored: (each) => restored.push(each) })
    const accepted = mock.journal.find({ operation: 'updateInventory', status: 200 })
    expect(new Set(accepted.map(({ petId }) => petId))).toEqual(new Set([3, 5]))
    expect(restored).toMatchObject([{ petIds: ['3', '5'], problem: undefined, unconfirmed: [] }])
  })

  test('a stock that cannot be put back fails the check, and is reported', async () => {
    const restored: RestoredStock[] = []
    const results = await check(
      {
        alter: (answer, { mock, request }) => {
          if (request.method === 'PATCH')
            for (const { petId } of mock.inventory.list()) mock.inventory.set(petId, { status: 'sold' })
          return answer
        },
      },
      { onRestored: (each) => restored.push(each) },
    )
    const last = results.at(-1)
    expect([last?.case, last?.verdict]).toEqual(['the stock is as it was before the check', 'failed'])
    expect(restored[0]?.problem).toMatch(/^The next list shows pet \d+ as sold/)
  })

  test('an operation that hangs is waited for once', async () => {
    const mock = createMock()
    mock.faults.add({ operation: 'updateInventory', error: 'timeout' })
    await using server = await serve(mock)
    const results = await checkServer(server, { responseLimitMs: 300 })
    const reasons = results
      .filter(({ operation, status }) => operation === 'updateInventory' && status === undefined)
      .map(({ violations, reason }) => reason ?? violations[0])
    expect(reasons.filter((each) => each?.includes('within 0.3 seconds'))).toHaveLength(1)
    expect(results.at(-1)).toMatchObject({ case: 'the stock is as it was before the check', verdict: 'passed' })
    expect(reasons.filter((each) => each?.includes('is not called again')).length).toBeGreaterThan(20)
    mock.reset()
  })

  test('an accepted update whose echo is wrong fails also where the update is our decision', async () => {
    const results = await check(
      { alter: (answer, { body }) => (body === '{"quantity":-3}' ? answer.clone() : answer) },
      { isForeign: true },
    )
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
    const broken = await check(
      {
        alter: async (answer, { body }) =>
          body === '{"quantity":-3}'
            ? Response.json({ ...((await answer.json()) as object), quantity: 3 }, { status: answer.status })
            : answer,
      },
      { isForeign: true },
    )
    expect(broken.filter(({ verdict }) => verdict === 'failed')).toMatchObject([{ case: 'a negative quantity is 200' }])
  })

  test.for(BROKEN_MOCKS)('fails a mock with $title', async (mock) => {
    const cases = CASES_RUN.filter(({ title }) => mock.failed.includes(title))
    const results = await check(mock, { cases })
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map((each) => each.case)).toEqual(expect.arrayContaining([...mock.failed]))
    const first = failed.find((each) => each.case === mock.failed[0])
    expect(first?.violations).toContainEqual(
      mock.violation instanceof RegExp ? expect.stringMatching(mock.violation) : mock.violation,
    )
  })

  const RANGE: MockOptions = { quantity: { min: 0, max: 1000 } }

  test("a service of somebody else's may decide otherwise where the specification is silent", async () => {
    const results = await check({ options: { ...RANGE, fixture: 'int64-edges' } }, { isForeign: true })
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toMatchObject([
      { case: 'a negative quantity is 200', verdict: 'differs', violations: ['The status is 400 and should be 200'] },
      { case: 'quantity 2^53−1 is 200', verdict: 'differs' },
    ])
  })

  test("a service of somebody else's may not break the specification by it", async () => {
    const alter: BrokenMock['alter'] = (answer) =>
      answer.status === 400 ? new Response(null, { status: 422 }) : answer
    const results = await check({ options: RANGE, alter }, { isForeign: true })
    expect(results.find((each) => each.case === 'a negative quantity is 200')).toMatchObject({
      verdict: 'failed',
      violations: [
        'The status is 422 and should be 200',
        'The status 422 is not listed in the specification for updateInventory: 200, 400, 401, 404',
      ],
    })
  })
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { hasProgram } from '../machine.ts'
import { BROKEN_ANSWERS } from './services/broken-answers.ts'
import { BROKEN_REFUSALS } from './services/broken-refusals.ts'
import { BROKEN_STOCK } from './services/broken-stock.ts'
import { type Call, startService, type Vary } from './services/plain-service.ts'

const LISTED = 'GET  : 200'

/** The exchanges that show why a case failed, as `PATCH /1 {"quantity":12}: 404`. */
async function findEvidence(vary: Vary, only: string): Promise<string[]> {
  await using service = await startService(vary)
  const { url, apiKey } = service
  const { report } = await runCheck({ url, apiKey, write: true, only, lateMs: 0 })
  const result = report.cases.find((each) => each.verdict === 'failed' && each.case.includes(only))
  return (result?.evidence ?? []).map(({ request, response }) => {
    const [, method, path] = /^(?:sleep \S+; )?curl -X (\S+) '[^']*\/inventory([^']*)'/.exec(request) ?? []
    const [, body = ''] = /--data-binary '(.*)'(?: &)?$/.exec(request) ?? []
    return `${method} ${path} ${body}: ${response.split(' ')[0]}`
  })
}

test.concurrent.each<[string, Vary, string, readonly (string | RegExp)[]]>([
  [
    'the refused one of several updates',
    BROKEN_REFUSALS['other-pets-404'].vary,
    'the present quantity',
    ['PATCH /7 {"quantity":40}: 404'],
  ],
  [
    'the list without the update, behind the update',
    BROKEN_STOCK['update-not-stored'].vary,
    'a new quantity',
    [/^PATCH \/1 .*: 200$/, LISTED],
  ],
  [
    'two updates at once, and the list',
    BROKEN_STOCK['concurrent-update-lost'].vary,
    'two updates at once',
    [/^PATCH \/1 .*: 200$/, /^PATCH \/7 .*: 200$/, LISTED],
  ],
  [
    'the first quantity that is not stored',
    BROKEN_STOCK['float32-rounds'].vary,
    'every quantity',
    ['PATCH /1 {"quantity":16777217}: 200', LISTED],
  ],
  [
    'the 0 that is refused after a negative quantity',
    BROKEN_STOCK['zero-refused'].vary,
    'a negative quantity',
    ['PATCH /1 {"quantity":0}: 400'],
  ],
  [
    'the list before a stale ETag, and the update that makes it so',
    BROKEN_ANSWERS['etag-of-ids'].vary,
    'an ETag',
    [LISTED, /^PATCH \/1 .*: 200$/, LISTED, 'GET  : 304'],
  ],
])('the curl lines of a finding show %s', async (_, vary, only, expected) => {
  const shown = await findEvidence(vary, only)
  expect(shown).toEqual(expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))))
})

/** What a service can tell of a request. */
function toText({ method, path, query, headers, body }: Call): string {
  const names = ['authorization', 'content-type', 'content-length', 'transfer-encoding', 'if-none-match', 'x-token']
  return JSON.stringify([method, path, `${query}`, ...names.map((name) => headers[name] ?? null), body])
}

test.skipIf(!hasProgram('sh') || !hasProgram('curl'))(
  'each curl line sends in sh what the check sent (needs curl)',
  async () => {
    const calls: string[] = []
    await using service = await startService((base) => ({
      // After the first list, each response is a finding with its evidence.
      answer: async (call) => {
        const reply = calls.push(toText(call)) === 1 ? await base.answer(call) : { status: 500, body: '{}' }
        return { ...reply, headers: { etag: '"1"' } }
      },
    }))
    const { url, apiKey } = service
    const headers = { 'x-token': "it's secret" }
    const { report } = await runCheck({ url, apiKey, headers, write: true, lateMs: 0 })
    const sent = new Set(calls.splice(0))
    const lines = report.cases.flatMap(({ evidence = [] }) => evidence.map(({ request }) => request))
    const env = { PATH: process.env['PATH'], API_KEY: apiKey, X_TOKEN: headers['x-token'] }
    // One at a time, so that they can be told apart.
    await promisify(execFile)('sh', ['-c', lines.map((line) => line.replace(/ &$/, '')).join('\n')], { env })
    expect(lines.length).toBeGreaterThan(80)
    expect(lines.filter((_, index) => !sent.has(calls[index] ?? ''))).toEqual([])
    expect(lines.filter((line) => line.includes(apiKey) || line.includes('(hidden)'))).toEqual([])
  },
)

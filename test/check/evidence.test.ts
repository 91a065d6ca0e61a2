import { expect, test } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { BROKEN_REFUSALS } from './services/broken-refusals.ts'
import { BROKEN_STOCK } from './services/broken-stock.ts'
import { startService, type Vary } from './services/plain-service.ts'

const LISTED = 'GET  : 200'

/** The exchanges that show why a case failed, as `PATCH /1 {"quantity":12}: 404`. */
async function findEvidence(vary: Vary, only: string): Promise<string[]> {
  await using service = await startService(vary)
  const { url, apiKey } = service
  const { report } = await runCheck({ url, apiKey, write: true, only, lateMs: 0 })
  const result = report.cases.find((each) => each.verdict === 'failed' && each.case.includes(only))
  return (result?.evidence ?? []).map(({ request, response }) => {
    const [, method, path] = /^curl -X (\S+) '[^']*\/inventory([^']*)'/.exec(request) ?? []
    const [, body = ''] = /--data-binary '(.*)'$/.exec(request) ?? []
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
])('the curl lines of a finding show %s', async (_, vary, only, expected) => {
  const shown = await findEvidence(vary, only)
  expect(shown).toEqual(expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))))
})

import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckReport, groupByCause } from '../../src/check/report.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { BROKEN_ANSWERS } from './services/broken-answers.ts'
import { BROKEN_KEYS } from './services/broken-keys.ts'
import { BROKEN_REFUSALS } from './services/broken-refusals.ts'
import { FOUND_BY, OTHER_VERDICTS } from './services/found-by.ts'
import { startService } from './services/plain-service.ts'
import { SERVICES, type ServiceUnderTest } from './services/services.ts'

interface Judged {
  readonly report: CheckReport
  readonly before: unknown
  readonly after: unknown
}

/** How many services are checked side by side, most of which wait. */
const SIDE_BY_SIDE = 60
/** Services that are broken in what the case that finds them sends, whatever was sent before: the others are checked whole. */
const OF_ONE_CASE = [BROKEN_REFUSALS, BROKEN_KEYS, BROKEN_ANSWERS].flatMap(Object.keys)
/** The number of requests before decides what these do. */
const COUNTING = ['key-flaky', 'key-expires', 'key-of-connection', 'every-fourth-update-500']

/** How long the last case waits, where it is shorter than for other services. */
const toLateMs = (name: string): number | undefined => (name === 'undone-after-5s' ? undefined : 700)

/** Each sentence about a service that is wrong, and a service that causes it. */
const SENTENCES: readonly (readonly [service: string, sentence: RegExp])[] = [
  ['pet-listed-twice', /^The list has more than one entry for a pet$/],
  ['updated-listed-twice', /^The next list has more than one entry for pet 1$/],
  ['list-empty-after-update', /^The next list lacks pet 1$/],
  ['fifth-update-lost', /^The next list shows quantity \d+ for pet \d+ and should show \d+$/],
  [
    'status-follows-quantity',
    /^The next list shows status available for pet 2 and should show status pending: an update sets the quantity/,
  ],
  ['list-500-after-update', /^The next list is 500 and should be 200$/],
  ['refused-pet-created', /^The next list has a new pet, \d+$/],
  ['key-after-write', /^The next list shows quantity \d+ for pet 1 and should show \d+$/],
  ['response-old-quantity', /^The response shows quantity \d+ for pet \d+ and should show \d+$/],
  ['concurrent-responses-mixed', /^The response is pet 7 and should be pet 1$/],
  [
    'sold-becomes-available',
    /^The response shows status available for pet \d+ and should show status sold: an update sets/,
  ],
  ['updated-id-as-string', /^The response is not a pet of the inventory$/],
  ['error-claims-gzip', /^Response body \(Content-Encoding: gzip\) cannot be read as JSON: incorrect header check$/],
  [
    'updated-quantity-as-text',
    /^The next list shows \{"petId":1,"quantity":"12",.* for pet 1: petId and quantity must/,
  ],
  ['ids-beyond-int64', /^Response body property 1.petId must be from -9223372036854775808 to 9223372036854775807$/],
  ['zero-refused', /^Quantity -3 is accepted, and 0 is not$/],
  ['float32-rounds', /^The next list shows quantity 16777216 for pet 1 and should show 16777217$/],
  ['replica-behind', /^Read again, the list was right within \d+ ms: it lags behind the updates, or is cached$/],
  ['two-memories', /^Read again, the list was right, and then the old value came back$/],
  ['no-challenge', /^WWW-Authenticate is missing$/],
  ['update-breaks-off', /^The service sent no complete response: /],
  ['unknown-id-rounded', /^The status is 200 and should be 404$/],
  ['other-pets-404', /^The status is 404 and should be 200$/],
  ['hundred-is-99', /^The next list shows quantity 99 for pet 1 and should show 100$/],
]

const SEEN: readonly (readonly [service: string, sentence: RegExp])[] = [
  ['others-sell', /^Another client changed pet 12, which is left out from now on$/],
  ['requests-dropped', /^\d+ of \d+ requests got no complete response: other side closed$/],
  ['unavailable-for-2s', /^\d+ of \d+ requests got status 503$/],
]

const judged = new Map<string, Judged>()

async function judge({ name, vary }: ServiceUnderTest): Promise<void> {
  await using service = await startService(vary)
  const before = structuredClone(service.stock())
  const { url, apiKey } = service
  const isWhole = !OF_ONE_CASE.includes(name) || COUNTING.includes(name)
  const only = isWhole ? undefined : String(FOUND_BY[name as keyof typeof FOUND_BY])
  const limits = { limitMs: 110_000, restorePatienceMs: 10_000, lateMs: toLateMs(name) }
  const { report } = await runCheck({ url, apiKey, write: true, only, ...limits })
  judged.set(name, { report, before, after: service.stock() })
}

beforeAll(async () => {
  const queue = [...SERVICES]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
}, 240_000)

function find(name: string): Judged {
  return judged.get(name) as Judged
}

describe('a check of a service that somebody else wrote', () => {
  test.each(SERVICES.filter(({ kind }) => kind === 'broken'))('finds $name: $sentence', ({ name }) => {
    const { report } = find(name)
    const verdict = OTHER_VERDICTS[name] ?? 'failed'
    const finding = FOUND_BY[name as keyof typeof FOUND_BY]
    const found = report.cases
      .filter((each) => each.verdict === verdict)
      .flatMap((each) => [`${each.operation}: ${each.case}`, ...each.findings.map(({ message }) => message)])
    expect(report.verdict).toBe({ failed: 'broken', differs: 'kept', inconclusive: 'inconclusive' }[verdict])
    expect(found).toContainEqual(typeof finding === 'string' ? finding : expect.stringMatching(finding))
  })

  test.each(SERVICES.filter(({ kind }) => kind === 'sound'))('does not blame $name: $sentence', ({ name }) => {
    const { report } = find(name)
    const blamed = groupByCause(report).flatMap(([each]) =>
      each.verdict === 'differs' ? [] : [each.case, ...each.findings],
    )
    expect([report.verdict, blamed]).toEqual(['kept', []])
  })

  test.each(SERVICES.filter(({ restorable }) => restorable))('leaves the stock of $name as it was', ({ name }) => {
    const { before, after } = find(name)
    expect(after).toEqual(before)
  })

  test.each(SENTENCES)('says of %s: %s', (name, sentence) => {
    const findings = find(name).report.cases.flatMap((each) => each.findings)
    expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(sentence))
  })

  test.each(SEEN)('notes of %s: %s', (name, sentence) => {
    expect(find(name).report.seen).toContainEqual(expect.stringMatching(sentence))
  })

  test('notes nothing of a sound service', () => {
    // On a busy machine, slow responses are noted.
    expect(find('plain').report.seen.filter((each) => !each.includes('slowest'))).toEqual([])
  })
})

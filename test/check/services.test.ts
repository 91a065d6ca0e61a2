import { describe, expect, test } from 'vitest'
import { describeServices, OF_ONE_CASE } from './describe-services.ts'
import { SERVICES } from './services/services.ts'

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

// All of them: test/long/services.test.ts.
const NAMED = ['plain', ...[...SENTENCES, ...SEEN].map(([name]) => name)]
const find = describeServices(SERVICES.filter(({ name }) => OF_ONE_CASE.includes(name) || NAMED.includes(name)))

describe('a check says', () => {
  test.each(SENTENCES)('of %s: %s', (name, sentence) => {
    const findings = find(name).report.cases.flatMap((each) => each.findings)
    expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(sentence))
  })

  test.each(SEEN)('as a note of %s: %s', (name, sentence) => {
    expect(find(name).report.seen).toContainEqual(expect.stringMatching(sentence))
  })

  test('nothing as a note of a sound service', () => {
    // On a busy machine, slow responses are noted.
    expect(find('plain').report.seen.filter((each) => !each.includes('slowest'))).toEqual([])
  })
})

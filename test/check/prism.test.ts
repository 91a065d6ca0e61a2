import { beforeAll, describe, expect, test } from 'vitest'
import { type Judge, loadJudge, loadPrism } from '../../src/check/prism.ts'
import type { OperationId } from '../../src/contract/operations.gen.ts'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { MockError } from '../../src/index.ts'

interface JudgeCase {
  readonly operation?: OperationId
  readonly status?: number
  readonly contentType?: string | undefined
  readonly contentEncoding?: string
  readonly body: string
}

const ITEM = '{"petId":1,"quantity":12,"status":"available"}'
const LISTED = 'listInventory: 200, 401'

describe('the judge', () => {
  let judge: Judge
  beforeAll(async () => {
    judge = await loadJudge()
  })

  async function judgeCase(answer: JudgeCase): Promise<readonly string[]> {
    const { operation: id = 'listInventory', status = 200, contentEncoding, body } = answer
    const contentType = 'contentType' in answer ? answer.contentType : 'application/json'
    const headers = new Headers()
    if (contentType !== undefined) headers.set('content-type', contentType)
    if (contentEncoding !== undefined) headers.set('content-encoding', contentEncoding)
    const operation = OPERATIONS.find((each) => each.id === id)
    if (operation === undefined) throw new Error(id)
    const violations = judge({ operation, status, headers, body: new TextEncoder().encode(body) })
    return violations.map(({ message }) => message)
  }

  test.for<[string, JudgeCase]>([
    ['an empty list', { body: '[]' }],
    ['a list', { body: `[${ITEM}]` }],
    ['a charset', { contentType: 'Application/JSON; charset=utf-8', body: '[]' }],
    ['a property more', { body: '[{"petId":1,"quantity":12,"status":"sold","name":"Rex"}]' }],
    ['an integer in the sense of the schema', { body: '[{"petId":1.0,"quantity":12e0,"status":"sold"}]' }],
    ['both ends of int64', { body: toList('9223372036854775807', '-9223372036854775808') }],
    ['1,000 ids beyond 2^53', { body: toList(...Array.from({ length: 1000 }, (_, i) => `90071992547${40993 + i}`)) }],
    ['an Error', { status: 401, body: '{"code":"unauthorized","message":"no","status":401}' }],
    ['what is not shown of an operation', { operation: 'getPet', status: 501, contentType: undefined, body: '' }],
    ['an answer of the updated pet', { operation: 'updateInventory', body: ITEM }],
  ])('finds nothing wrong with %s', async ([, answer]) => {
    expect(await judgeCase(answer)).toEqual([])
  })

  test.for<[string, JudgeCase, string | RegExp]>([
    [
      'a string for quantity',
      { body: '[{"petId":1,"quantity":"12","status":"sold"}]' },
      'Response body property 0.quantity must be integer',
    ],
    ['a missing field', { body: '[{"petId":1,"quantity":12}]' }, /must have required property 'status'/],
    ['another status of a pet', { body: '[{"petId":1,"quantity":12,"status":"lost"}]' }, /available, pending, sold$/],
    [
      'an id beyond int64',
      { body: toList('9223372036854776000') },
      'Response body property 0.petId must be from -9223372036854775808 to 9223372036854775807',
    ],
    [
      'a negative id beyond int64',
      { operation: 'updateInventory', body: toList('-9223372036854775809').slice(1, -1) },
      'Response body property petId must be from -9223372036854775808 to 9223372036854775807',
    ],
    [
      'a body that is cut within its encoding',
      { contentEncoding: 'gzip', body: '[{' },
      /^Response body \(Content-Encoding: gzip\) cannot be read as JSON: /,
    ],
    ['null', { body: 'null' }, 'Response body must be array'],
    ['HTML', { contentType: 'text/html', body: '<p>' }, 'The Content-Type is "text/html" and must be application/json'],
    [
      'no Content-Type',
      { contentType: undefined, body: '[]' },
      'The Content-Type is missing and must be application/json',
    ],
    ['a problem', { status: 401, contentType: 'application/problem+json', body: '{}' }, /application\/problem\+json/],
    ['what would end Prism', { contentType: 'garbage', body: '[]' }, /^The Content-Type is "garbage"/],
    ['a parameter that would end Prism', { contentType: 'application/json; charset', body: '[[]]' }, /must be object/],
    ['half a body', { body: '[{"petId":1' }, /^Response body cannot be read as JSON: /],
    ['no body', { body: '' }, 'Response body cannot be read as JSON: Unexpected end of JSON input'],
    ['a byte order mark', { body: '\uFEFF[]' }, /^Response body cannot be read as JSON: /],
    ['418', { status: 418, body: '{}' }, `The status 418 is not listed in the specification for ${LISTED}`],
    ['404 for the list', { status: 404, body: '{"code":"not_found","message":"","status":404}' }, /^The status 404/],
    ['an Error without code', { status: 401, body: '{"message":"no","status":401}' }, /required property 'code'/],
    [
      'a 400 whose Error has another status',
      { operation: 'updateInventory', status: 400, body: '{"code":"c","message":"m","status":404}' },
      /must repeat the HTTP status 400, got 404$/,
    ],
    ['an Error of a named operation', { operation: 'getPet', status: 401, body: '{}' }, /required property 'code'/],
  ])('reports %s', async ([, answer, expected]) => {
    const messages = await judgeCase(answer)
    expect(messages[0]).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected)
  })
})

describe('loadPrism', () => {
  test('says in one line what to install where Prism is missing', () => {
    expect(() => loadPrism([])).toThrow(
      new MockError(
        'CHECK_UNAVAILABLE',
        'Failed to start Prism: @stoplight/prism-cli is not installed. Run: npm install --save-dev @stoplight/prism-cli@5.16',
      ),
    )
  })
})

function toList(...petIds: string[]): string {
  return `[${petIds.map((petId) => `{"petId":${petId},"quantity":1,"status":"sold"}`).join()}]`
}

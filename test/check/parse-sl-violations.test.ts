import { describe, expect, test } from 'vitest'
import { parseSlViolations } from '../../src/check/prism/parse-sl-violations.ts'

const REQUEST = { location: ['request'], severity: 'Error', code: 401, message: 'Invalid security scheme used' }
const FIRST = { location: ['response', 'body', '0', 'quantity'], severity: 'Error', code: 'type', message: 'first' }
const SECOND = { location: ['response', 'body', '1', 'quantity'], severity: 'Error', code: 'type', message: '},{' }

describe('parseSlViolations', () => {
  test('no header is no violation', () => {
    expect(parseSlViolations(null)).toEqual([])
  })

  test('what is said of the request is left out', () => {
    expect(parseSlViolations(JSON.stringify([REQUEST, FIRST]))).toEqual([FIRST])
  })

  test('of a header that was cut short the whole violations are read', () => {
    const json = JSON.stringify([REQUEST, FIRST, SECOND, SECOND])
    const more = { message: expect.stringMatching(/^There are more/) }
    for (let length = json.length - 1; length > json.length - JSON.stringify(SECOND).length; length -= 1) {
      const violations = parseSlViolations(`Too many violations! ${json.slice(0, length)}`)
      expect(violations).toMatchObject([FIRST, SECOND, more])
    }
    expect(parseSlViolations('Too many violations! [{"loc')).toMatchObject([more])
  })
})

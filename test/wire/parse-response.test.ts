import { describe, expect, test } from 'vitest'
import { parseResponse } from './parse-response.ts'

const DATE = 'Date: Sat, 21 Nov 2026 18:22:00 GMT\r\n'

describe('the strict parser of the tests', () => {
  test('reads one response, and leaves the next', () => {
    const first = `HTTP/1.1 200 OK\r\n${DATE}Content-Length: 2\r\n\r\n[]`
    const parsed = parseResponse(Buffer.from(`${first}HTTP/1.1 404`), 'GET')
    expect(parsed).toMatchObject({ length: first.length, response: { status: 200, reason: 'OK' } })
    expect(parsed?.response.body.toString()).toBe('[]')
  })

  test('reads chunks', () => {
    const bytes = Buffer.from(
      `HTTP/1.1 200 OK\r\n${DATE}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`,
    )
    expect(parseResponse(bytes, 'GET')?.response.body.toString()).toBe('abc')
  })

  test('waits for what is missing, wherever the bytes break off', () => {
    const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${DATE}Content-Length: 2\r\n\r\n[]`)
    for (let length = 0; length < bytes.length; length += 1) {
      expect(parseResponse(bytes.subarray(0, length), 'GET')).toBeUndefined()
    }
  })

  test.each([
    ['HTTP/1.0 200 OK', ''],
    ['HTTP/1.1 200', ''],
    ['HTTP/1.1 200 OK', 'Content-Length: 0\r\nContent-Length: 0\r\n'],
    ['HTTP/1.1 200 OK', 'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n'],
    ['HTTP/1.1 200 OK', 'no colon\r\n'],
    ['HTTP/1.1 200 OK', 'Space : 1\r\n'],
    ['HTTP/1.1 200 OK', ' folded: 1\r\n'],
    ['HTTP/1.1 200 OK', ''],
  ])('refuses %s with %j', (line, fields) => {
    expect(() => parseResponse(Buffer.from(`${line}\r\n${DATE}${fields}\r\n`), 'GET')).toThrow()
  })
})

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { MOST_VALUES, parseRequest, readJson } from '../../src/control/read-body.ts'
import { Budget } from '../../src/http/bytes.ts'
import { object } from '../../src/http/schema.ts'
import { toWireRequest } from '../../src/http/wire-request.ts'

describe('the JSON body of a control request', () => {
  test.each([',', '[', '{'])('holds five million of %s and no more', async (sign) => {
    const read = (more: number) => {
      const body = new Uint8Array(MOST_VALUES + 2).fill(0x31).fill(sign.charCodeAt(0), 0, MOST_VALUES + more)
      return readJson({ ...toUpload(body), limit: body.byteLength })
    }
    // Five million open lists take JSON.parse a second.
    if (sign !== '[') await expect(read(0)).rejects.toThrow(/^The body must be JSON: /)
    await expect(read(1)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/000 values$/),
    })
  })

  test('gives its bytes back, however it ends', async () => {
    const uploads = new Budget(10)
    const read = (text: string, limit = 10) =>
      readJson({ ...toUpload(text), uploads, limit }).catch(
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      )
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await read('1234567890')).toBe(1234567890)
      expect(await read('{')).toMatch(/^invalid_request: The body must be JSON: ./)
      expect(await read('[1,2,3]', 5)).toBe('invalid_request: The body must be at most 5 bytes')
      expect(await read('12345678901', 100)).toMatch(/^too_many_requests: /)
    }
    expect([uploads.take(10), await read('1'), uploads.take(1)]).toEqual([
      true,
      expect.stringMatching(/^too_many_requests/),
      false,
    ])
  })

  test('is refused with its first unknown name, and with those that are known', async () => {
    const schema = object<{ a?: unknown; b?: unknown }>({ a: v.optional(v.unknown()), b: v.optional(v.unknown()) })
    const read = (text: string) => readJson(toUpload(text)).then((value) => parseRequest(schema, value, 'The body'))
    expect(await read('{"b":1}')).toEqual({ b: 1 })
    await expect(read('{"x":1,"a":1,"y":1}')).rejects.toThrow('x is not known. Did you mean a? Known: a, b')
    await expect(read('[]')).rejects.toThrow('The body must be an object with a, b, got [] (array)')
  })

  test('is an empty object if there is none, as with curl -X POST', async () => {
    expect(await readJson(toUpload(''))).toEqual({})
  })

  test('that is no JSON has the reason as its cause', async () => {
    await expect(readJson(toUpload('{'))).rejects.toMatchObject({ cause: expect.any(SyntaxError) })
    const latin1 = readJson(toUpload(Buffer.from('"\xff"', 'latin1')))
    await expect(latin1).rejects.toMatchObject({ code: 'invalid_request', cause: expect.any(TypeError) })
  })
})

function toUpload(body: BodyInit) {
  const request = toWireRequest(new Request('http://a.example/', { method: 'PUT', body }))
  return { request, uploads: new Budget(Number.POSITIVE_INFINITY) }
}

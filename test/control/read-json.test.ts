import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parseRequest, readJson } from '../../src/control/read-body.ts'
import { toWireRequest } from '../../src/http/fetch-request.ts'
import { object } from '../../src/http/schema.ts'

describe('the JSON body of a control request', () => {
  test('has at most a megabyte, unless its route takes more', async () => {
    const refused = (bytes: number) => ({
      code: 'invalid_request',
      message: `The body must be at most ${bytes} bytes`,
    })
    expect(await readJson(toRequest('[1,2]'), 5)).toEqual([1, 2])
    await expect(readJson(toRequest('[1,2,3]'), 5)).rejects.toMatchObject(refused(5))
    expect(await readJson(toRequest('{}'.padEnd(1024 ** 2)))).toEqual({})
    await expect(readJson(toRequest('{}'.padEnd(1024 ** 2 + 1)))).rejects.toMatchObject(refused(1024 ** 2))
  })

  test('is refused with its first unknown name, and with those that are known', async () => {
    const schema = object<{ a?: unknown; b?: unknown }>({ a: v.optional(v.unknown()), b: v.optional(v.unknown()) })
    const read = (text: string) => readJson(toRequest(text)).then((value) => parseRequest(schema, value, 'The body'))
    expect(await read('{"b":1}')).toEqual({ b: 1 })
    await expect(read('{"x":1,"a":1,"y":1}')).rejects.toThrow('x is not known. Did you mean a? Known: a, b')
    await expect(read('[]')).rejects.toThrow('The body must be an object with a, b, got [] (array)')
  })

  test('is an empty object if there is none, as with curl -X POST', async () => {
    expect(await readJson(toRequest(''))).toEqual({})
  })

  test('that is no JSON has the reason as its cause', async () => {
    await expect(readJson(toRequest('{'))).rejects.toMatchObject({ cause: expect.any(SyntaxError) })
    const latin1 = readJson(toRequest(Buffer.from('"\xff"', 'latin1')))
    await expect(latin1).rejects.toMatchObject({ code: 'invalid_request', cause: expect.any(TypeError) })
  })
})

function toRequest(body: BodyInit) {
  return toWireRequest(new Request('http://a.example/', { method: 'PUT', body }))
}

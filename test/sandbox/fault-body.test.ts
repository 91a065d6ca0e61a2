import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { parseExactJson, writeExactJson } from '../../src/http/exact-json.ts'
import { createMock, type Fault, type Mock } from '../../src/index.ts'

const KEY = { authorization: 'Bearer demo-key' }

/** JSON as a person writes it: numbers in every form, names twice, with and without space. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('null', 'true', '-0', '1.0', '5.0000000000000001', '1e400', '-1E+2', '9223372036854775807'),
    fc.bigInt().map(String),
    fc.constantFrom('"\\ud800"', '"\\u00e4"', '"ä"', '"\\/"', '"\u2028"', '"😀"'),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[ ${items.join(' ,\t')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '1', '0'), tie('json')), { maxLength: 3 })
      .map((members) => `{\n${members.map(([name, value]) => `"${name}" :${value}`).join('\r\n,')}}`),
  ),
}))

describe("a fault's body", () => {
  test('that came as text is sent exactly, and told everywhere as it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (given) => {
        const body = writeExactJson(parseExactJson(given))
        const mock = createMock()
        const added = await mock.fetch('/_mock/faults', { method: 'POST', body: `{"status":418,"body":${given}}` })
        const sent = await list(mock)
        expect([sent.status, await sent.text()]).toEqual([418, body])
        expect([added.status, await added.text()]).toEqual([201, `{"status":418,"body":${body},"id":1,"used":0}`])
        expect(await (await mock.fetch('/_mock/faults')).text()).toBe(`[{"status":418,"body":${body},"id":1,"used":1}]`)
        expect(mock.journal.last()?.answer?.body).toBe(body)
      }),
    )
  })

  test.each<[unknown, string]>([
    [9223372036854775807n, '9223372036854775807'],
    [[-(2n ** 63n), 2 ** 53, 1e21, 0.1], '[-9223372036854775808,9007199254740992,1e+21,0.1]'],
    [{ petId: 2n ** 53n + 1n, owner: { ids: [1n] } }, '{"petId":9007199254740993,"owner":{"ids":[1]}}'],
    [null, 'null'],
    ['', '""'],
    [false, 'false'],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}'],
  ])('%o of a program is sent exactly', async (body, text) => {
    const mock = createMock()
    expect(mock.faults.add({ status: 500, body }).body).toBe(body)
    expect(mock.faults.list()[0]?.body).toBe(body)
    expect(await (await list(mock)).text()).toBe(text)
    expect(await (await mock.fetch('/_mock/faults')).text()).toContain(`"body":${text},`)
  })

  test('is sent as it was when the fault was added', async () => {
    const mock = createMock()
    const body: { items: unknown[] } = { items: [1] }
    mock.faults.add({ status: 500, body })
    body.items.push(body)
    expect(await (await list(mock)).text()).toBe('{"items":[1]}')
  })

  test.each<[unknown, string]>([
    [{ a: undefined }, 'body.a is undefined'],
    [[Number.NaN], 'body[0] is NaN'],
    [new Map(), 'body is an instance of Map'],
  ])('%o is refused by its place when the fault is added', (body, message) => {
    const mock = createMock()
    expect(() => mock.faults.add({ status: 500, body })).toThrow(
      expect.objectContaining({
        code: 'INVALID_FAULT',
        message: `Failed to add a fault: ${message}, which JSON cannot represent.`,
      }),
    )
    expect(mock.faults.list()).toEqual([])
  })

  test('goes through the client and back, and can be given again', async () => {
    const mock = createMock()
    const remote = connectMock('http://127.0.0.1:1', { fetch: (url, init) => mock.fetch(url, init) })
    const body = { id: 2n ** 63n - 1n, ids: [1.5, 'ä', null] }
    expect(await remote.faults.add({ status: 500, body })).toMatchObject({ body })
    await mock.fetch('/_mock/faults', { method: 'POST', body: '{"status":501,"body":[1e400,5.0000000000000001]}' })
    const [first, second] = await remote.faults.list()
    expect(first?.body).toEqual(body)
    await remote.faults.clear()
    await remote.faults.add({ status: 501, body: second?.body })
    expect(await (await list(mock)).text()).toBe('[1e400,5.0000000000000001]')
    mock.faults.clear()
    mock.faults.add({ status: 501, body: second?.body } as Fault)
    expect(await (await list(mock)).text()).toBe('[1e400,5.0000000000000001]')
  })
})

function list(mock: Mock): Promise<Response> {
  return mock.fetch('/v1/inventory', { headers: KEY })
}

import { describe, expect, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { UnwritableError, writeExactJson } from '../../src/http/exact-json.ts'
import { createMock } from '../../src/index.ts'
import { list } from '../ask.ts'

describe("a fault's body", () => {
  test.each<[unknown, string]>([
    [9223372036854775807n, '9223372036854775807'],
    [[-(2n ** 63n), 2 ** 53, 1e21, 0.1], '[-9223372036854775808,9007199254740992,1e+21,0.1]'],
    [{ petId: 2n ** 53n + 1n, owner: { ids: [1n] } }, '{"petId":9007199254740993,"owner":{"ids":[1]}}'],
    [null, 'null'],
    ['', '""'],
    [false, 'false'],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}'],
  ])('%o is sent exactly, from a program, over HTTP and from the client', async (body, text) => {
    const mock = createMock()
    expect(writeExactJson(mock.faults.add({ status: 500, body }).body)).toBe(text)
    expect(await (await list(mock)).text()).toBe(text)
    mock.faults.clear()
    const added = await mock.fetch('/_mock/faults', { method: 'POST', body: `{"status":418,"body":${text}}` })
    expect(await added.text()).toBe(`{"status":418,"body":${text},"id":2,"used":0}`)
    expect(await (await list(mock)).text()).toBe(text)
    expect(await (await mock.fetch('/_mock/faults')).text()).toBe(`[{"status":418,"body":${text},"id":2,"used":1}]`)
    const remote = connectMock('http://127.0.0.1:1', { fetch: (url, init) => mock.fetch(url, init) })
    const [found] = await remote.faults.list()
    await remote.faults.clear()
    await remote.faults.add({ status: 501, body: found?.body })
    expect(await (await list(mock)).text()).toBe(text)
  })

  test('may have numbers that only their text represents', async () => {
    const mock = createMock()
    const body = '[1e400,5.0000000000000001]'
    await mock.fetch('/_mock/faults', { method: 'POST', body: `{"status":418,"body":${body}}` })
    expect(await (await list(mock)).text()).toBe(body)
  })

  test.each([
    ['text/html', '<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
    ['text/plain', { a: 1 }, '{"a":1}'],
    ['application/problem+json', 'down', '"down"'],
  ])('of the type %s: %j', async (type, body, text) => {
    const mock = createMock()
    mock.faults.add({ status: 502, headers: { 'Content-Type': type, 'X-Request-Id': '7' }, body })
    const response = await list(mock)
    const { status, headers } = response
    expect([status, headers.get('content-type'), headers.get('x-request-id')]).toEqual([502, type, '7'])
    expect([await response.text(), headers.get('content-length')]).toEqual([text, String(text.length)])
  })

  test('is sent as it was when the fault was added', async () => {
    const mock = createMock()
    const body: { items: unknown[] } = { items: [1] }
    mock.faults.add({ status: 500, body })
    body.items.push(body)
    expect(await (await list(mock)).text()).toBe('{"items":[1]}')
  })

  test.each<[unknown, string]>([
    [[Number.NaN], 'body: 0 is NaN'],
    [new Map(), 'body is a Map'],
    [() => 1, 'body is a function'],
  ])('%o is refused by its name when the fault is added, also by the client', async (body, message) => {
    const mock = createMock()
    const refused = expect.objectContaining({
      code: 'INVALID_FAULT',
      cause: expect.any(UnwritableError),
      message: `Failed to add a fault: ${message}, which JSON cannot represent.`,
    })
    expect(() => mock.faults.add({ status: 500, body })).toThrow(refused)
    await expect(connectMock('http://127.0.0.1:1').faults.add({ status: 500, body })).rejects.toEqual(refused)
    expect(mock.faults.list()).toEqual([])
  })
})

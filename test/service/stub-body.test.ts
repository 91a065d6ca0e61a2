import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, type Stub } from '../../src/index.ts'

const headers = { authorization: 'Bearer demo-key' }

async function ask(stub: Stub, path: string): Promise<string> {
  const response = await createMock({ stubs: [stub] }).fetch(path, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

describe('parameters of the path in the body of a stub', () => {
  test.each([
    ['007', '"007"'],
    ['-0', '"-0"'],
    ['0', '0'],
    ['-5', '-5'],
    ['1.5', '"1.5"'],
    ['1e3', '"1e3"'],
    ['a%22%0A', '"a\\"\\n"'],
    ['%zz', '"%zz"'],
    ['$&', '"$&"'],
    ['{toyId}', '"{toyId}"'],
  ])('%s is written as %s', async (segment, json) => {
    expect(await ask({ path: '/toys/{toyId}', body: '{toyId}' }, `/v1/toys/${segment}`)).toBe(json)
  })

  test('are not in text of another type', async () => {
    const stub = { path: '/labels/{id}', body: '<b>{id}</b>', headers: { 'content-type': 'text/html' } }
    expect(await ask(stub, '/v1/labels/5')).toBe('<b>{id}</b>')
  })

  test('other braces are sent as they are', async () => {
    const text = 'Hello {name}, {constructor}, {}, { petId }'
    expect(await ask({ path: '/pets/{petId}', body: { text } }, '/v1/pets/7')).toBe(JSON.stringify({ text }))
    expect(await ask({ path: '/greeting', body: { text: '{name}' } }, '/v1/greeting')).toBe('{"text":"{name}"}')
  })

  test('for any body and segment, the response is what replacing in the value gives', async () => {
    const text = fc.stringMatching(/^(?:["\\{}]|\{id\})*$/)
    const bodies = fc.letrec((tie) => ({
      value: fc.oneof(text, fc.integer(), fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    })).value
    // A URL has no segments `.` and `..`, and an empty one matches no parameter.
    const segment = fc.oneof(fc.nat().map(String), fc.string()).filter((text) => !/^\.{0,2}$/.test(text))
    await fc.assert(
      fc.asyncProperty(bodies, segment, async (body, id) => {
        const answer = await ask({ path: '/x/{id}', body }, `/v1/x/${encodeURIComponent(id.toWellFormed())}`)
        // Not parsed: the order of names stays, and two may become the same.
        expect(answer).toBe(write(body, id.toWellFormed()))
      }),
    )
  })
})

test.each<[Stub, string]>([
  [
    { path: '/pets/{petId}', body: { id: '{pet}' } },
    'body has "{pet}", but the parameters of /pets/{petId} are {petId}.',
  ],
  [{ path: '/pets/{petId}', body: { ids: [{ id: '{constructor}' }] } }, 'body has "{constructor}", but'],
])('%j is refused', (stub, sentence) => {
  expect(() => createMock({ stubs: [stub] })).toThrow(sentence)
})

function write(value: unknown, id: string): string {
  if (value === '{id}') return /^(?:0|-?[1-9]\d*)$/.test(id) ? id : JSON.stringify(id)
  if (typeof value === 'string') return JSON.stringify(value.replaceAll('{id}', () => id))
  if (Array.isArray(value)) return `[${value.map((each) => write(each, id))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name.replaceAll('{id}', () => id))}:${write(each, id)}`,
  )
  return `{${members}}`
}

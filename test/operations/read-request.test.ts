import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { BODY_TOO_LARGE } from '../../src/http/wire-request.ts'
import type { Rules } from '../../src/inventory/profile.ts'
import type { Operation } from '../../src/operations/define-operation.ts'
import { defineOperation, defineUnspecified } from '../../src/operations/define-operation.ts'
import { listInventory } from '../../src/operations/list-inventory.ts'
import { matchOperation, OPERATION_LIST } from '../../src/operations/operations.ts'
import { findBodyPetId, LARGEST_BODY, readRequest } from '../../src/operations/read-request.ts'
import { updateInventory } from '../../src/operations/update-inventory.ts'
import { parseOptions } from '../../src/service/parse-options.ts'

const { rules } = parseOptions({})
const REQUEST = { params: {}, petId: undefined, body: undefined }
const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function carryOut({ prepare }: Operation, context: Parameters<Operation['prepare']>[1]) {
  const prepared = prepare(REQUEST, context)
  return 'problem' in prepared ? undefined : prepared()
}

function read(
  operation: Operation,
  {
    petId = '7',
    mediaType = 'application/json' as string | undefined,
    body = encode('{}') as unknown,
    profile = {} as Partial<Rules>,
  } = {},
) {
  let reads = 0
  const request = {
    header: (name: string) => (name === 'content-type' ? mediaType : undefined),
    readBody() {
      reads += 1
      return body as Uint8Array<ArrayBuffer>
    },
  }
  return { result: readRequest(request, { operation, params: { petId }, rules: { ...rules, ...profile } }), reads }
}

describe('a request is read', () => {
  test('with the id of its path and the JSON of its body, numbers exact', () => {
    const { result, reads } = read(updateInventory, { body: encode('{"quantity":9007199254740993}') })
    expect(result).toEqual({ params: { petId: '7' }, petId: '7', body: { quantity: 9007199254740993n } })
    expect(reads).toBe(1)
    expect(LARGEST_BODY).toBe(65_536)
  })

  test.each([
    [
      { petId: '07', mediaType: 'text/plain' },
      'petId must be an int64 in canonical decimal form, got "07" (string)',
      0,
    ],
    [{ petId: '' }, 'petId must be an int64 in canonical decimal form, got "" (string)', 0],
    [{ mediaType: 'text/plain' }, 'Content-Type must be application/json, got "text/plain" (string)', 0],
    [{ mediaType: '' }, 'Content-Type must be application/json, got "" (string)', 0],
    [{ body: BODY_TOO_LARGE }, 'The body must be at most 65536 bytes', 1],
    [{ body: Uint8Array.of(0x22, 0xff, 0x22) }, 'The body must be a JSON object: it is not valid UTF-8', 1],
    [{ body: encode('{') }, 'The body must be a JSON object: it is not valid JSON', 1],
    [{ body: encode('') }, 'The body must be a JSON object: it is missing', 1],
    [{ body: encode('5') }, 'The body must be a JSON object, got 5 (number)', 1],
    [{ body: encode('1e400') }, 'The body must be a JSON object, got 1e400 (number)', 1],
    [{ body: encode('null') }, 'The body must be a JSON object, got null (null)', 1],
    [{ body: encode('[]') }, 'The body must be a JSON object, got [] (array)', 1],
    [{ body: encode('"x"') }, 'The body must be a JSON object, got "x" (string)', 1],
    [
      { body: encode('['.repeat(1001) + ']'.repeat(1001)) },
      'The body must be a JSON object: it is nested more than 1000 levels deep',
      1,
    ],
  ])('or refused, before its body is asked for where that can be: %o', (given, problem, reads) => {
    expect(read(updateInventory, given)).toEqual({ result: { problem }, reads })
  })

  test('without a Content-Type is told so', () => {
    const request = { header: () => undefined, readBody: () => encode('{}') }
    expect(readRequest(request, { operation: updateInventory, params: { petId: '7' }, rules })).toEqual({
      problem: 'Content-Type must be application/json, and none was sent',
    })
  })

  test.each(['application/json', 'APPLICATION/JSON', 'application/json ; charset=utf-8', ' application/json;'])(
    'of the media type %j',
    (mediaType) => {
      expect(read(updateInventory, { mediaType }).result).toHaveProperty('body')
    },
  )

  test('and waits for a body on its way', async () => {
    const { result } = read(updateInventory, { body: Promise.resolve(encode('{"a":1}')) })
    expect(await result).toMatchObject({ body: { a: 1 } })
  })

  test('without its body where the contract has none', () => {
    const { result, reads } = read(listInventory, { mediaType: 'text/plain' })
    expect([result, reads]).toEqual([{ params: { petId: '7' }, petId: undefined, body: undefined }, 0])
  })

  test('with a body that names no pet, where the operation is about none', () => {
    const operation: Operation = { ...updateInventory, petIdOf: undefined }
    expect(read(operation, { body: encode('{"petId":7}') }).result).toEqual({
      params: { petId: '7' },
      petId: undefined,
      body: { petId: 7 },
    })
  })

  test('as it is where the specification does not show the operation', () => {
    const getPet = defineUnspecified('getPet')
    const { result, reads } = read(getPet, { petId: 'abc', mediaType: 'text/plain' })
    expect([result, reads]).toEqual([{ params: { petId: 'abc' }, petId: 'abc', body: undefined }, 0])
  })
})

describe('a pet that the body names', () => {
  const order: Operation = {
    ...defineOperation('updateInventory', { parse: () => ({}), resolve: () => expect.fail('not asked') }),
    petIdOf: { in: 'body', name: 'petId' },
  }

  test.each([
    ['{"petId":7}', '7'],
    ['{"petId":9223372036854775807}', '9223372036854775807'],
    ['{"petId":7.0}', '7'],
    ['{}', undefined],
    ['{"petid":7}', undefined],
    ['{"__proto__":{"petId":7}}', undefined],
  ])('%s is %s', (body, petId) => {
    expect(read(order, { body: encode(body) }).result).toMatchObject({ petId })
    expect(findBodyPetId(encode(body), 'petId')).toBe(petId)
  })

  test.each(['"7"', '7.5', '9223372036854775808', '1e400', 'null', '{"toString":1}', '[7]'])('%s is none', (json) => {
    const body = encode(`{"petId":${json}}`)
    expect(read(order, { body }).result).toEqual({
      problem: expect.stringMatching(/^petId must be an int64 in canonical decimal form, got /),
    })
    expect(findBodyPetId(body, 'petId')).toBeUndefined()
  })

  test.each(['{"petId":7', '[7]', 'null', '7'])('is not looked for in %s', (body) => {
    expect(findBodyPetId(encode(body), 'petId')).toBeUndefined()
  })

  test('beyond int64 is as the profile says; anything but an integer stays a 400', () => {
    const profile = { malformedPetId: 404, petIdBeyondInt64: 404 } as const
    const beyond = '9223372036854775808'
    expect(read(order, { body: encode(`{"petId":${beyond}}`), profile }).result).toMatchObject({ petId: beyond })
    for (const petId of ['"abc"', '7.5', 'null'])
      expect(read(order, { body: encode(`{"petId":${petId}}`), profile }).result).toHaveProperty('problem')
  })
})

describe('the list of an inventory', () => {
  const context = (prepare: () => Promise<void> | undefined) =>
    ({ state: { prepare, toList: () => [encode('[]')] }, rules }) as never

  test('is there at once where it is ready', () => {
    expect(
      carryOut(
        listInventory,
        context(() => undefined),
      ),
    ).toMatchObject({ status: 200, body: [encode('[]')] })
  })

  test('waits for a long one to be made ready', async () => {
    let isReady = false
    const answered = carryOut(
      listInventory,
      context(async () => {
        await Promise.resolve()
        isReady = true
      }),
    )
    expect([answered instanceof Promise, isReady]).toEqual([true, false])
    expect([(await answered)?.status, isReady]).toEqual([200, true])
  })
})

test('the operations are those of the contract, each with its pet', () => {
  expect(OPERATION_LIST).toMatchObject(OPERATIONS)
  expect(matchOperation('GET', '/pets/7')).toMatchObject({ kind: 'found', route: { id: 'getPet' } })
})

describe('an operation', () => {
  const context = { state: undefined, rules } as never

  test('has what the contract says of it, and reports the problem that it finds', () => {
    const operation = defineOperation('listInventory', {
      parse: () => ({ problem: 'not so' }),
      resolve: () => expect.fail('not asked'),
    })
    expect(operation).toMatchObject({ id: 'listInventory', method: 'GET', path: '/inventory', petIdOf: undefined })
    expect(operation.prepare(REQUEST, context)).toEqual({ problem: 'not so' })
  })

  test('that is not shown says how to answer it', async () => {
    const response = await carryOut(defineUnspecified('getPet'), context)
    const { status, body } = response ?? expect.fail('a problem')
    const { code, message } = JSON.parse(new TextDecoder().decode(body[0])) as { code: string; message: string }
    expect([status, code]).toEqual([501, 'not_specified'])
    expect(message).toContain('The specification names GET /pets/{petId}')
    expect(message).toContain("mock.use(http.get('*/pets/:petId', resolver))")
    expect(message).toContain('petstore-mock serve --handlers FILE')
    expect(message).toContain('petstore-mock serve --stubs FILE')
  })
})

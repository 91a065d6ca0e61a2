import {
  type CaseDefinition,
  type CaseRule,
  type CaseSource,
  type ConformanceCase,
  defineCase,
  findStatusDeviation,
} from './conformance-case.ts'
import { findItemFault, findListFault, findOtherPetsFault, listQuantity } from './stock-rules.ts'
import { WRONG_KEY } from './wrong-key.ts'

const ONE = '{"quantity":1}'
const BROKEN = '{"quantity":'

/** How `PATCH /inventory/{petId}` behaves. */
export function defineUpdateInventoryCases(): readonly ConformanceCase[] {
  return [
    setsNext('the answer is the pet with its new quantity', findItemFault),
    setsNext('the next list shows the new quantity', findListFault),
    setsNext('all other pets stay as they were', findOtherPetsFault),
    takes('quantity 0', '{"quantity":0}'),
    takes('a negative quantity', '{"quantity":-3}'),
    takes('quantity 5.0', '{"quantity":5.0}'),
    takes('quantity 5e0', '{"quantity":5e0}'),
    takes('quantity 2^53−1', '{"quantity":9007199254740991}'),
    takes('an unknown property beside quantity', '{"quantity":6,"petstore-check":true}'),
    refuses('no quantity', '{}'),
    refuses('a quantity of another name', '{"Quantity":1}'),
    refuses('quantity "5"', '{"quantity":"5"}'),
    refuses('quantity 5.5', '{"quantity":5.5}'),
    refuses('quantity null', '{"quantity":null}'),
    refuses('quantity true', '{"quantity":true}'),
    refuses('quantity [5]', '{"quantity":[5]}'),
    refuses('quantity {}', '{"quantity":{}}'),
    refuses('a body that is not JSON', BROKEN),
    refuses('an empty body', undefined),
    refuses('a body that is an array', '[{"quantity":1}]'),
    refuses('a body that is a number', '5'),
    refuses('a body that is null', 'null'),
    refuses('quantity 2^53', '{"quantity":9007199254740992}', { source: 'decision' }),
    refuses('a body of text/plain', ONE, { source: 'decision', contentType: 'text/plain' }),
    refuses('a body without Content-Type', ONE, { source: 'decision', contentType: null }),
    defineUntouched(),
    ...defineKeyCases(),
    ...definePetIdCases(),
  ]
}

function defineKeyCases(): ConformanceCase[] {
  const wrong = `Bearer ${WRONG_KEY}`
  const absent = { source: 'decision', needsPet: false } as const
  return [
    update({ title: 'no key is 401', expected: 401, request: () => ({ authorization: null, body: ONE }) }),
    update({ title: 'a wrong key is 401', expected: 401, request: () => ({ authorization: wrong, body: ONE }) }),
    update({
      title: 'a wrong key with a bad body is 401',
      source: 'decision',
      expected: 401,
      request: () => ({ authorization: wrong, body: BROKEN }),
    }),
    update({
      ...absent,
      title: 'a wrong key for an unknown pet is 401',
      expected: 401,
      request: ({ absentPetId }) => ({ authorization: wrong, petId: absentPetId, body: ONE }),
    }),
  ]
}

function definePetIdCases(): ConformanceCase[] {
  const petless = { source: 'decision', needsPet: false, expected: 400 } as const
  return [
    update({
      title: 'an unknown pet is 404',
      needsPet: false,
      expected: 404,
      request: ({ absentPetId }) => ({ petId: absentPetId, body: ONE }),
    }),
    update({
      ...petless,
      title: 'a bad body for an unknown pet is 400',
      request: ({ absentPetId }) => ({ petId: absentPetId, body: BROKEN }),
    }),
    update({ ...petless, title: 'petId abc is 400', request: () => ({ petId: 'abc', body: ONE }) }),
    update({
      ...petless,
      title: 'a petId beyond int64 is 400',
      request: () => ({ petId: '9223372036854775808', body: ONE }),
    }),
  ]
}

function update({ request, ...definition }: Omit<CaseDefinition, 'operation'>): ConformanceCase {
  return defineCase({
    operation: 'updateInventory',
    needsPet: true,
    ...definition,
    request: (session) => ({ ...(session.pet && { petId: session.pet.petId }), ...request(session) }),
  })
}

/** Sets a quantity that the pet has not had. */
function setsNext(title: string, rule: CaseRule): ConformanceCase {
  const request: CaseDefinition['request'] = (session) => ({
    body: JSON.stringify({ quantity: session.nextQuantity() }),
  })
  return update({ title, expected: 200, request, rule })
}

/** The specification gives `quantity` no bounds, and nothing that a body may hold beside it. */
function takes(what: string, body: string): ConformanceCase {
  return update({
    title: `${what} is 200`,
    source: 'decision',
    expected: 200,
    request: () => ({ body }),
    rule: findItemFault,
  })
}

function refuses(
  what: string,
  body: string | undefined,
  { source = 'specification', ...rest }: { source?: CaseSource; contentType?: string | null } = {},
): ConformanceCase {
  // An empty body says that it is JSON, too.
  const request = { contentType: 'application/json', ...rest, ...(body !== undefined && { body }) }
  return update({ title: `${what} is 400`, source, expected: 400, request: () => request })
}

function defineUntouched(): ConformanceCase {
  const operation = 'updateInventory'
  const title = 'a refused update changes nothing'
  return {
    operation,
    title,
    source: 'specification',
    expected: 400,
    needsPet: true,
    async run(session) {
      const before = await listQuantity(session)
      const answer = await session.send({ operation, petId: session.pet?.petId ?? '', body: '{"quantity":5.5}' })
      const deviation = findStatusDeviation(answer, 400)
      if (deviation !== undefined) return { status: answer.status, deviation }
      const after = await listQuantity(session)
      return {
        status: answer.status,
        deviation: after === before ? undefined : `The quantity is ${after} and was ${before}`,
      }
    },
  }
}

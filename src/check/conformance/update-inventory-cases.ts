import { PET_STATUSES } from '../../inventory/pet.ts'
import { badKeyCases, WRONG_KEY } from './bad-keys.ts'
import { concurrentUpdates } from './concurrent-updates.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { createBody, defineUpdate } from './define-update.ts'
import { keepsQuantities, takesNewQuantity } from './first-updates.ts'
import { defineOddBodyCases, keepsStatus, refuses, setsNext, takes } from './update-body-cases.ts'

const NO_LARGE_PET = 'no pet has an id beyond 2^53'
const BROKEN = '{"quantity":'

/**
 * The cases of `PATCH /inventory/{petId}`. In each of them, the response must echo the update, and the next list must
 * show exactly that: a rejected update changes nothing, and no update changes another pet.
 */
export function defineUpdateInventoryCases(): readonly ConformanceCase[] {
  return [
    keepsQuantities,
    takesNewQuantity,
    setsNext('a pet at the other end of the list is updated', ({ otherPet }) => otherPet ?? 'there is no second pet'),
    // A service that compares ids as doubles updates the wrong neighbour: always the first, or always the last.
    setsNext('a pet with an id beyond 2^53 is updated', ({ largePets: [first] }) => first ?? NO_LARGE_PET),
    setsNext('its neighbour is updated', ({ largePets: [, second] }) => second ?? `${NO_LARGE_PET} and a neighbour`),
    ...PET_STATUSES.flatMap(keepsStatus),
    concurrentUpdates,
    takes('quantity 0', '{"quantity":0}'),
    takes('a negative quantity', '{"quantity":-3}'),
    takes('quantity 5.0', '{"quantity":5.0}'),
    takes('quantity 5e0', '{"quantity":5e0}'),
    takes('quantity 2^53−1', '{"quantity":9007199254740991}'),
    ...defineOddBodyCases(),
    // The last accepted quantity. The rejected updates below must send other ones.
    takes('an unknown property beside quantity', '{"quantity":6,"petstore-check":true}'),
    refuses('no quantity', '{}'),
    refuses('a quantity of another name', '{"Quantity":1}'),
    refuses('quantity "5"', '{"quantity":"5"}'),
    refuses('quantity "5 pets"', '{"quantity":"5 pets"}'),
    refuses('quantity "five"', '{"quantity":"five"}'),
    refuses('quantity ""', '{"quantity":""}'),
    refuses('quantity 5.5', '{"quantity":5.5}'),
    refuses('quantity null', '{"quantity":null}'),
    refuses('quantity true', '{"quantity":true}'),
    refuses('quantity false', '{"quantity":false}'),
    refuses('quantity NaN', '{"quantity":NaN}'),
    refuses('quantity []', '{"quantity":[]}'),
    refuses('quantity [5]', '{"quantity":[5]}'),
    refuses('quantity {}', '{"quantity":{}}'),
    refuses('a body that is not JSON', BROKEN),
    refuses('an empty body', undefined),
    refuses('a body that is an array', '[{"quantity":1}]'),
    refuses('a body that is a string', JSON.stringify('{"quantity":1}')),
    refuses('a body that is a number', '5'),
    refuses('a body that is null', 'null'),
    refuses('quantity 2^53', '{"quantity":9007199254740992}', { source: 'decision' }),
    refuses('quantity 2^53+1', '{"quantity":9007199254740993}', { source: 'decision' }),
    refuses('quantity 1e400', '{"quantity":1e400}', { source: 'decision' }),
    refuses('a body of text/plain', createBody, { source: 'decision', contentType: 'text/plain' }),
    refuses('a body without Content-Type', createBody, { source: 'decision', contentType: null }),
    ...defineKeyCases(),
    ...definePetIdCases(),
  ]
}

function defineKeyCases(): ConformanceCase[] {
  const wrong = `Bearer ${WRONG_KEY}`
  return [
    ...badKeyCases(({ authorization, ...definition }) =>
      defineUpdate({
        ...definition,
        request: (session) => ({ authorization: authorization(session), body: createBody(session) }),
      }),
    ),
    defineUpdate({
      title: 'a wrong key with a bad body is 401',
      source: 'decision',
      expected: 401,
      request: () => ({ authorization: wrong, body: BROKEN }),
    }),
    defineUpdate({
      title: 'a wrong key for an unknown pet is 401',
      source: 'decision',
      expected: 401,
      on: null,
      request: (session) => ({ authorization: wrong, petId: session.absentPetId, body: createBody(session) }),
    }),
  ]
}

function definePetIdCases(): ConformanceCase[] {
  const decided = { source: 'decision', expected: 400, on: null } as const
  return [
    defineUpdate({
      title: 'an unknown pet is 404',
      expected: 404,
      on: null,
      request: (session) => ({ petId: session.absentPetId, body: createBody(session) }),
    }),
    defineUpdate({
      title: 'an unknown pet with an id beyond 2^32 is 404',
      expected: 404,
      on: null,
      request: (session) => ({ petId: session.absentLongId, body: createBody(session) }),
    }),
    defineUpdate({
      title: "an unknown pet whose id rounds to another pet's is 404",
      expected: 404,
      on: ({ absentNeighbour }) => (absentNeighbour === undefined ? `${NO_LARGE_PET} and no neighbour` : undefined),
      request: (session) => ({ petId: session.absentNeighbour ?? '', body: createBody(session) }),
    }),
    defineUpdate({
      ...decided,
      title: 'a bad body for an unknown pet is 400',
      request: ({ absentPetId }) => ({ petId: absentPetId, body: BROKEN }),
    }),
    defineUpdate({
      ...decided,
      title: 'petId abc is 400',
      request: (session) => ({ petId: 'abc', body: createBody(session) }),
    }),
    defineUpdate({
      ...decided,
      title: 'a petId with text behind it is 400',
      request: (session) => ({ petId: `${session.pet?.petId ?? 1}abc`, body: createBody(session) }),
    }),
    defineUpdate({
      ...decided,
      title: 'a petId with a fraction is 400',
      request: (session) => ({ petId: `${session.pet?.petId ?? 1}.7`, body: createBody(session) }),
    }),
    defineUpdate({
      ...decided,
      title: 'a petId beyond int64 is 400',
      request: (session) => ({ petId: toWrapped(session.pet?.petId), body: createBody(session) }),
    }),
  ]
}

/** An id beyond int64 that is the pet's if it is cut to 64 bits. */
function toWrapped(petId = '0'): string {
  const id = BigInt(petId)
  return String(id < 0n ? id - 2n ** 64n : id + 2n ** 64n)
}

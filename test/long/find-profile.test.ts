import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMock, type Fixture } from '../../src/index.ts'
import { serveOther } from '../check/other-service.ts'
import { findRandomProfiles, probeProfile } from '../check/probe-profile.ts'

const KEYS = fc.constantFrom('Bearer demo-key', 'bearer demo-key', 'Bearer wrong', 'demo-key', undefined)
const IDS = fc.constantFrom(
  ...'3 8 9007199254740993 404 abc 3.7 -1 9223372036854775808 -9223372036854775809'.split(' '),
)
const VALUES = fc.oneof(fc.integer({ min: -3, max: 10_002 }), fc.constantFrom('5', null, true, 5.5, [], 1e300))
const BODIES = fc.oneof(
  VALUES.map((quantity) => JSON.stringify({ quantity })),
  VALUES.map((quantity) => JSON.stringify({ quantity, more: 1 })),
  fc.constantFrom('{"quantity":', '[]', 'null', '{}', '{"quantity":5.0}', '{"quantity":5e0}'),
)
const TYPES = fc.constantFrom('application/json', 'text/plain')
const REQUESTS = fc
  .record({ authorization: KEYS, id: IDS, body: BODIES, type: TYPES, isList: fc.boolean() })
  .map(({ authorization, id, body, type, isList }): readonly [path: string, init: RequestInit] => {
    const key = authorization === undefined ? {} : { authorization }
    if (isList) return ['/v1/inventory', { headers: key }]
    return [`/v1/inventory/${id}`, { method: 'PATCH', headers: { ...key, 'content-type': type }, body }]
  })

/** What a profile is about: the status and the code, or the pets. */
async function toComparable(response: Response): Promise<unknown> {
  const text = await response.text()
  const { code } = JSON.parse(text) as { code?: string }
  const pets = text
    .split('}')
    .map((pet) => (pet.match(/"(petId|quantity|status)":"?[\w-]+/g) ?? []).sort().join())
    .sort()
  return [response.status, code, response.headers.has('www-authenticate'), response.ok ? pets : []]
}

test('findProfile finds what any service decides, in few requests', () => findRandomProfiles(30))

test('a mock with the profile of a typed router answers 1,000 random requests as the router does', async () => {
  await using service = await serveOther({
    decisions: {
      order: '401, 404, 400',
      malformedPetId: 404,
      quantity: { min: 0, max: 9999 },
      unknownProperties: 'reject',
      codes: { 400: 'E_INVALID', 404: 'E_PET' },
    },
  })
  const { profile } = await probeProfile({ url: service.url, write: true })
  const inventory = service.pets as unknown as Fixture['inventory']
  const mock = createMock({ profile, fixture: { inventory } })
  const differences: unknown[] = []
  for (const [path, init] of fc.sample(REQUESTS, { numRuns: 1000, seed: 7 })) {
    const [theirs, ours] = await Promise.all([fetch(service.url + path, init), mock.fetch(`http://any${path}`, init)])
    const [their, own] = await Promise.all([toComparable(theirs), toComparable(ours)])
    if (JSON.stringify(their) !== JSON.stringify(own)) differences.push({ path, init, their, own })
  }
  expect(differences).toEqual([])
})

import type { OperationId } from '../contract/operations.gen.ts'
import { PET_STATUSES, type QuantityRange } from '../inventory/pet.ts'
import type { ErrorCodes, Profile } from '../inventory/profile.ts'
import { BAD_KEYS, type BadKey, NO_KEY, WRONG } from './keys.ts'
import { CaseEnd, deviate, type Finding } from './report.ts'
import type { CaseOutcome, Run } from './run.ts'
import {
  echoesAllQuantities,
  findsRange,
  keepsQuantities,
  sendsOldEtag,
  takesNegativeQuantity,
  takesNewQuantity,
  updatesAtOnce,
  updatesInARow,
} from './sequences.ts'
import type { CheckResponse } from './service.ts'
import { parsePets } from './stock.ts'

/** A property of a profile, with the place in it: `codes.401`. */
export type ProfilePoint =
  | Exclude<keyof Profile, '$schema' | 'description' | 'quantity' | 'codes'>
  | `quantity.${keyof QuantityRange}`
  | `codes.${keyof ErrorCodes}`

/** One row of the table: a behaviour to check. */
export interface Case {
  readonly operation: OperationId
  readonly title: string
  readonly expected: number
  /** The basis of the expected status: the specification, or this project's decision where the specification is silent. */
  readonly source: 'specification' | 'decision'
  /** The `Authorization` header or the query; the valid key by default. */
  readonly key?: BadKey
  /** The id in the path. @throws {CaseEnd} if there is no such pet. @default that of the first pet that may be updated */
  readonly petId?: (run: Run) => string
  /** The body. @default none for a list, and a new quantity for an update */
  readonly body?: string | null | ((run: Run) => string)
  readonly contentType?: string | null
  readonly isChunked?: boolean
  /** The point of a profile that the response decides. */
  readonly point?: ProfilePoint
  /** What else the response must have. */
  readonly rule?: (response: CheckResponse) => Finding | undefined
  /** Other statuses that a service of others may choose, although the specification does not list them. */
  readonly open?: readonly number[]
  /** More than one request, most of them to the pet. */
  readonly sequence?: (run: Run, petId: string) => Promise<CaseOutcome>
  /** Runs only where a profile is asked for. */
  readonly isForProfile?: true
  /** All cases with updates build on this one. */
  readonly isFirst?: true
}

const BROKEN = '{"quantity":'
const NO_LARGE_PET = 'no pet has an id beyond 2^53'
const FIRST = ({ chosen }: Run): string => chosen.pet?.petId ?? skip('there is no pet whose quantity could be restored')
const OTHER = ({ chosen }: Run): string => chosen.otherPet?.petId ?? skip('there is no second pet')
const ABSENT = ({ chosen }: Run): string => chosen.absentPetId
const ABC = (): string => 'abc'

export const CASES: readonly Case[] = [
  list('a valid key should get 200', 200, { rule: findListFault }),
  ...withBadKeys('listInventory'),
  list('a 401 should name Bearer in WWW-Authenticate', 401, {
    source: 'decision',
    key: NO_KEY,
    point: 'challenge',
    rule: findChallengeFault,
  }),
  list('the scheme in lower case should get 200', 200, {
    source: 'decision',
    key: { what: 'the scheme in lower case', of: (key) => ({ authorization: `bearer ${key}` }) },
  }),

  gets('the present quantity of a pet', 200, { sequence: keepsQuantities, isFirst: true }),
  update('a new quantity should be echoed and listed', 200, { sequence: takesNewQuantity, isFirst: true }),
  update('the last of three updates in a row should stand', 200, { sequence: updatesInARow }),
  update('an ETag from before an update should get 200', 200, { sequence: sendsOldEtag }),
  update('a pet at the other end of the list should be updated', 200, { petId: OTHER }),
  // A service that compares ids as doubles updates the wrong neighbour: always the first, or always the last.
  update('a pet with an id beyond 2^53 should be updated', 200, {
    petId: ({ chosen }) => chosen.largePets[0]?.petId ?? skip(NO_LARGE_PET),
  }),
  update('the neighbour of a pet with an id beyond 2^53 should be updated', 200, {
    petId: ({ chosen }) => chosen.largePets[1]?.petId ?? skip(`${NO_LARGE_PET} and a neighbour`),
  }),
  ...PET_STATUSES.flatMap((status) => {
    const petId: Case['petId'] = ({ chosen }) => chosen.petsByStatus.get(status)?.petId ?? skip(`no pet is ${status}`)
    return [
      update(`a pet that is ${status} should stay so with a new quantity`, 200, { petId }),
      update(`a pet that is ${status} should stay so with quantity 0`, 200, {
        source: 'decision',
        petId,
        body: '{"quantity":0}',
      }),
    ]
  }),
  update('two updates at once should both be listed', 200, { petId: OTHER, sequence: updatesAtOnce }),
  update('every quantity of the accepted range should be echoed', 200, { sequence: echoesAllQuantities }),
  accepts('quantity 0', '{"quantity":0}'),
  gets('a negative quantity', 200, { sequence: takesNegativeQuantity }),
  accepts('quantity 5.0', (run) => `{"quantity":${run.quantities.next()}.0}`),
  accepts('quantity 5e0', (run) => `{"quantity":${run.quantities.next()}e0}`),
  accepts('quantity 2^53−1', '{"quantity":9007199254740991}'),
  update('a body without a Content-Length should get 200', 200, { isChunked: true }),
  update('a status beside quantity should be ignored', 200, { source: 'decision', body: addStatus }),
  update("another pet's petId beside quantity should be ignored", 200, {
    source: 'decision',
    petId: (run) => OTHER(run) && FIRST(run),
    body: (run) => `{"petId":${run.chosen.otherPet?.petId},"quantity":${run.quantities.next()}}`,
  }),
  accepts(
    'an unknown property beside quantity',
    (run) => `{"quantity":${run.quantities.next()},"petstore-check":true}`,
    { point: 'unknownProperties' },
  ),
  ...(['min', 'max'] as const).map((end) =>
    update(`the ${end === 'min' ? 'smallest' : 'largest'} accepted quantity should be found`, 200, {
      source: 'decision',
      point: `quantity.${end}`,
      isForProfile: true,
      sequence: (run, petId) => findsRange(run, petId, end),
    }),
  ),

  refuses('no quantity', '{}', { point: 'codes.400' }),
  refuses('Quantity with a capital letter', '{"Quantity":1}'),
  // A service may repeat the letter of "fünf" in its message, in an encoding other than UTF-8.
  ...['"5"', '"5 pets"', '"five"', '"fünf"', '""', '5.5', 'null', 'true', 'false', 'NaN', '[]', '[5]', '{}'].map(
    (value) => refuses(`quantity ${value}`, `{"quantity":${value}}`),
  ),
  refuses('a body that is not JSON', BROKEN),
  refuses('an empty body', null),
  refuses('a body that is an array', '[{"quantity":1}]'),
  refuses('a body that is a string', JSON.stringify('{"quantity":1}')),
  refuses('a body that is a number', '5'),
  refuses('a body that is null', 'null'),
  refuses('quantity 2^53', '{"quantity":9007199254740992}', { source: 'decision' }),
  refuses('quantity 2^53+1', '{"quantity":9007199254740993}', { source: 'decision' }),
  refuses('quantity 1e400', '{"quantity":1e400}', { source: 'decision' }),
  gets('a body of text/plain', 400, { contentType: 'text/plain', point: 'otherContentType', open: [415] }),
  gets('a body without Content-Type', 400, { contentType: null, open: [415] }),

  ...withBadKeys('updateInventory'),
  gets('a wrong key with a bad body', 401, { key: WRONG, body: BROKEN, point: 'order' }),
  gets('a wrong key for an unknown pet', 401, { key: WRONG, petId: ABSENT, point: 'order' }),
  gets('a wrong key with a malformed petId', 401, { key: WRONG, petId: ABC }),
  gets('a malformed petId with a bad body', 400, { petId: ABC, body: BROKEN }),
  update('an unknown pet should get 404', 404, { petId: ABSENT, point: 'codes.404' }),
  update('an unknown pet with an id beyond 2^32 should get 404', 404, {
    petId: ({ chosen }) => chosen.absentLongId,
  }),
  update("an unknown pet whose id rounds to another pet's should get 404", 404, {
    petId: ({ chosen }) => chosen.absentNeighbour ?? skip(`${NO_LARGE_PET} and no neighbour`),
  }),
  gets('a bad body for an unknown pet', 400, { petId: ABSENT, body: BROKEN, point: 'order' }),
  gets('petId abc', 400, { petId: ABC, point: 'malformedPetId' }),
  gets('a petId with text behind it', 400, { petId: (run) => `${toId(run)}abc` }),
  gets('a petId with a fraction', 400, { petId: (run) => `${toId(run)}.7` }),
  gets('a petId beyond int64', 400, { petId: toWrapped }),

  update('a path below a pet should not update the pet', 404, {
    source: 'decision',
    petId: (run) => `${toId(run)}/history`,
    open: [400, 404, 405, 501],
  }),
  update('all updates should still stand six seconds later', 200, {
    sequence: (run, petId) => updatesInARow(run, petId, run.options.lateMs ?? 6000),
  }),

  // Operations that the specification names but does not define: where there is one, it needs a key all the same.
  ...(['getPet', 'listOrders'] as const).flatMap((operation) =>
    [NO_KEY, WRONG].map((key) => define(operation, `${key.what} should get 401`, 401, { key, open: [404] })),
  ),
]

type Rest = Partial<Omit<Case, 'operation' | 'title' | 'expected'>>

function define(operation: OperationId, title: string, expected: number, rest: Rest): Case {
  return { operation, title, expected, source: 'specification', ...rest }
}

function list(title: string, expected: number, rest: Rest): Case {
  return define('listInventory', title, expected, rest)
}

function update(title: string, expected: number, rest: Rest): Case {
  return define('updateInventory', title, expected, { petId: FIRST, body: createBody, ...rest } as Rest)
}

function gets(what: string, status: number, rest: Rest): Case {
  return update(`${what} should get ${status}`, status, { source: 'decision', ...rest })
}

/** The specification neither limits `quantity` nor mentions other properties of the body. */
function accepts(what: string, body: Case['body'], rest: Rest = {}): Case {
  return gets(what, 200, { ...rest, body } as Rest)
}

function refuses(what: string, body: Case['body'], rest: Rest = {}): Case {
  return gets(what, 400, { source: 'specification', ...rest, body } as Rest)
}

function withBadKeys(operation: 'listInventory' | 'updateInventory'): Case[] {
  const add = operation === 'listInventory' ? list : update
  return BAD_KEYS.map((key) =>
    add(`${key.what} should get 401`, 401, {
      key,
      ...(key === NO_KEY && operation === 'listInventory' && { point: 'codes.401' }),
    }),
  )
}

function skip(reason: string): never {
  throw new CaseEnd('skipped', reason)
}

/** A new quantity for each update, which exposes a service that applies updates it rejects. */
function createBody(run: Run): string {
  return JSON.stringify({ quantity: run.quantities.next() })
}

function addStatus(run: Run): string {
  const status = run.chosen.pet?.status === 'sold' ? 'available' : 'sold'
  return JSON.stringify({ quantity: run.quantities.next(), status })
}

function toId({ chosen }: Run): string {
  return chosen.pet?.petId ?? '1'
}

/** An id beyond int64 that is the pet's if it is cut to 64 bits. */
function toWrapped(run: Run): string {
  const id = BigInt(toId(run))
  return String(id < 0n ? id - 2n ** 64n : id + 2n ** 64n)
}

/** One entry per tracked pet, and all of them. */
function findListFault({ json, headers }: CheckResponse): Finding | undefined {
  const pets = parsePets(json) ?? []
  if (new Set(pets.map(({ petId }) => petId)).size < pets.length)
    return deviate('repeated pets', 'The list has more than one entry for a pet')
  const link = headers.get('link') ?? ''
  const sentence = `The list is only a part, which continues at ${link.split(';')[0]}: it must hold all pets`
  return /;\s*rel="?next\b/i.test(link) ? deviate('pages', sentence) : undefined
}

/** A 401 must say how to authenticate (RFC 9110, section 11.6.1). */
function findChallengeFault({ headers }: CheckResponse): Finding | undefined {
  const challenge = headers.get('www-authenticate')
  if (challenge === null) return deviate('no challenge', 'WWW-Authenticate is missing')
  const sentence = `WWW-Authenticate should name Bearer and is ${challenge}`
  return /^bearer\b/i.test(challenge) ? undefined : deviate('challenge', sentence)
}

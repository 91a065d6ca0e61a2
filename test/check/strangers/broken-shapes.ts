import { gzipSync } from 'node:zlib'
import { failure, printPet, type Reply } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const ITEM = '2: petId (int64), quantity (integer) and status (PetStatus) are required in an InventoryItem'
const ARRAY = '4.1: 200 is a JSON array of InventoryItem'
const UPDATED = '4.2: 200 is the InventoryItem, the updated entry'
const JSON_BODIES = '4: all bodies are JSON (application/json)'
const ERROR = '7: code (string), message (string) and status (integer) are required in an Error'

/** Services that send something else than the specification shows. */
export const BROKEN_SHAPES: readonly Stranger[] = [
  {
    name: 'ids are strings in the list',
    because: ITEM,
    rules: () => ({ printListed: (pet) => printPet(pet).replace(/"petId":(\d+)/, '"petId":"$1"') }),
  },
  {
    name: 'the id is a string in the updated entry',
    because: ITEM,
    rules: () => ({ printUpdated: (pet) => printPet(pet).replace(/"petId":(\d+)/, '"petId":"$1"') }),
  },
  {
    name: 'the quantity is a string in the updated entry',
    because: ITEM,
    rules: () => ({ printUpdated: (pet) => printPet(pet).replace(/"quantity":(-?\d+)/, '"quantity":"$1"') }),
  },
  {
    name: 'the updated entry is in snake case',
    because: ITEM,
    rules: () => ({ printUpdated: (pet) => printPet(pet).replace('petId', 'pet_id') }),
  },
  {
    name: 'ids pass through a double on their way into the list',
    because: '2: petId is an int64, of the animal this entry tracks',
    stock: '3:12:available 4:7:pending 9007199254740993:41:available',
    rules: () => ({ printListed: (pet) => printPet({ ...pet, id: BigInt(Number(pet.id)) }) }),
  },
  {
    name: 'the updated entry has its id through a double',
    because: UPDATED,
    stock: '3:12:available 9007199254740993:41:available',
    rules: () => ({ printUpdated: (pet) => printPet({ ...pet, id: BigInt(Number(pet.id)) }) }),
  },
  {
    name: 'an id is beyond 63 bits',
    because: '2: petId is an int64',
    stock: '3:12:available 4:7:pending 18446744073709551615:41:available',
    rules: () => ({}),
  },
  {
    name: 'one pet has no status',
    because: ITEM,
    rules: () => ({ printListed: (pet) => (pet.id === 11n ? '{"petId":11,"quantity":0}' : printPet(pet)) }),
  },
  {
    name: 'one pet has the quantity null',
    because: ITEM,
    rules: () => ({
      printListed: (pet) => (pet.quantity === 0 ? printPet(pet).replace(/:0,/, ':null,') : printPet(pet)),
    }),
  },
  {
    name: 'one pet has two and a half',
    because: ITEM,
    stock: '3:12:available 4:2.5:pending 11:0:sold',
    rules: () => ({}),
  },
  {
    name: 'one pet has a quantity that is NaN',
    because: JSON_BODIES,
    rules: () => ({
      printListed: (pet) => (pet.quantity === 0 ? printPet(pet).replace(/:0,/, ':NaN,') : printPet(pet)),
    }),
  },
  {
    name: 'one pet is discontinued',
    because: '2: PetStatus is available, pending or sold',
    stock: '3:12:available 4:7:pending 11:0:discontinued',
    rules: () => ({}),
  },
  {
    name: 'the updated entry has its status in capitals',
    because: '2: PetStatus is available, pending or sold',
    rules: () => ({ printUpdated: (pet) => printPet({ ...pet, status: pet.status.toUpperCase() }) }),
  },
  {
    name: 'a pet is in the list twice',
    because: '4.1: one entry per tracked pet',
    rules: (shop) => ({ listed: () => [...shop.pets, ...shop.pets.slice(1, 2)] }),
  },
  {
    name: 'the list is in an envelope',
    because: ARRAY,
    rules: () => ({ printList: (items) => `{"items":[${items.join(',')}],"total":${items.length}}` }),
  },
  {
    name: 'a list of one is that one',
    because: ARRAY,
    stock: '3:12:available',
    rules: () => ({ printList: (items) => (items.length === 1 ? `${items[0]}` : `[${items.join(',')}]`) }),
  },
  {
    name: 'the updated entry is in an array',
    because: UPDATED,
    rules: () => ({ printUpdated: (pet) => `[${printPet(pet)}]` }),
  },
  {
    name: 'an update is 204',
    because: UPDATED,
    rules: () => onSuccessOfUpdate((reply) => ({ ...reply, status: 204, headers: {}, body: '' })),
  },
  {
    name: 'an update is 201',
    because: UPDATED,
    rules: () => onSuccessOfUpdate((reply) => ({ ...reply, status: 201 })),
  },
  {
    name: 'an update is a redirect to the list',
    because: UPDATED,
    rules: () => onSuccessOfUpdate(() => ({ status: 303, headers: { location: '/v1/inventory' }, body: '' })),
  },
  {
    name: 'updates are 308 to the path with a slash',
    because: '4.2: the path is /inventory/{petId}, and 308 is no status of it',
    rules: (_, plain) => ({
      around(call, next) {
        if (call.method !== 'PATCH') return next()
        if (!call.path.endsWith('/')) return { status: 308, headers: { location: `${call.path}/` }, body: '' }
        return plain.update(call, call.path.slice('/v1/inventory/'.length, -1))
      },
    }),
  },
  {
    name: 'an update has no content type',
    because: JSON_BODIES,
    rules: () => onSuccessOfUpdate((reply) => ({ ...reply, headers: {} })),
  },
  {
    name: 'bodies begin with a byte order mark',
    because: `${JSON_BODIES}, and RFC 8259, 8.1, forbids the mark`,
    rules: () => onAll((reply) => ({ ...reply, body: `\uFEFF${reply.body}` })),
  },
  {
    name: 'bodies are UTF-16',
    because: `${JSON_BODIES}, and RFC 8259, 8.1, wants UTF-8`,
    rules: () =>
      onAll((reply) => ({
        ...reply,
        headers: { 'content-type': 'application/json; charset=utf-16le' },
        body: Buffer.from(`${reply.body}`, 'utf16le'),
      })),
  },
  {
    name: 'the list begins with a guard against scripts',
    because: JSON_BODIES,
    rules: () => ({ printList: (items) => `)]}',\n[${items.join(',')}]` }),
  },
  {
    name: 'errors are text/plain',
    because: JSON_BODIES,
    rules: () => onErrors((reply) => ({ ...reply, headers: { 'content-type': 'text/plain' } })),
  },
  {
    name: 'a proxy has its own page for 404',
    because: '4.2: 404 is an Error object',
    rules: () =>
      onErrors((reply) =>
        reply.status === 404
          ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><h1>404 Not Found</h1></html>' }
          : reply,
      ),
  },
  {
    name: 'errors are problem details',
    because: ERROR,
    rules: () =>
      onErrors(({ status }) => ({
        status,
        headers: { 'content-type': 'application/problem+json' },
        body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail: 'No' }),
      })),
  },
  {
    name: 'code is a number',
    because: ERROR,
    rules: () => ({ fail: (status) => failure(status, { code: 40_000 + status }) }),
  },
  {
    name: 'a 400 has a list instead of a message',
    because: ERROR,
    rules: () => ({
      fail: (status) =>
        status === 400 ? failure(400, { message: undefined, errors: ['quantity is wrong'] }) : failure(status),
    }),
  },
  {
    name: 'the status of an error is a string',
    because: ERROR,
    rules: () => ({ fail: (status) => failure(status, { status: `${status}` }) }),
  },
  {
    name: 'a 404 says that it is a 400',
    because: '7: the status field of the body repeats the HTTP status code',
    rules: () => ({ fail: (status) => failure(status, status === 404 ? { status: 400 } : {}) }),
  },
  {
    name: 'the length of errors is counted in characters',
    because: `${JSON_BODIES}: this one is cut off`,
    rules: (_, plain) => ({
      fail: (status) => failure(status, { message: 'Übergröße – çà et là' }),
      send(response, reply, call) {
        const length = `${reply.body}`.length
        if (reply.status === 200) return plain.send(response, reply, call)
        response.writeHead(reply.status, { ...reply.headers, 'content-length': length })
        response.end(Buffer.from(reply.body).subarray(0, length))
      },
    }),
  },
  {
    name: 'errors claim to be gzip',
    because: `${JSON_BODIES}: this one cannot be read`,
    rules: () => onErrors((reply) => ({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } })),
  },
  {
    name: 'bodies are gzip and do not say so',
    because: JSON_BODIES,
    rules: () => onAll((reply) => ({ ...reply, body: gzipSync(reply.body) })),
  },
  {
    name: 'updates want another method',
    because: '4.2: PATCH /inventory/{petId}',
    rules: () => ({
      update(call) {
        return this.guard(call) ?? this.fail(405, call)
      },
    }),
  },
]

function onAll(change: (reply: Reply) => Reply) {
  return { around: async (_: unknown, next: () => Promise<Reply>) => change(await next()) }
}

function onErrors(change: (reply: Reply) => Reply) {
  return onAll((reply) => (reply.status >= 400 ? change(reply) : reply))
}

function onSuccessOfUpdate(change: (reply: Reply) => Reply) {
  return {
    async around({ method }: { readonly method: string }, next: () => Promise<Reply>) {
      const reply = await next()
      return method === 'PATCH' && reply.status === 200 ? change(reply) : reply
    },
  }
}

import { failure, printPet, type Reply } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const ITEM = '2: petId (int64), quantity (integer) and status (PetStatus) are required in an InventoryItem'
const UPDATED = '4.2: 200 is the InventoryItem, the updated entry'
const JSON_BODIES = '4: all bodies are JSON (application/json)'
const ERROR = '7: code (string), message (string) and status (integer) are required in an Error'

/** Services that send something else than the specification shows. */
export const BROKEN_SHAPES: readonly Stranger[] = [
  {
    name: 'the id is a string in the updated entry',
    because: ITEM,
    rules: () => ({ printUpdated: (pet) => printPet(pet).replace(/"petId":(\d+)/, '"petId":"$1"') }),
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
    name: 'one pet has no status',
    because: ITEM,
    rules: () => ({ printListed: (pet) => (pet.id === 11n ? '{"petId":11,"quantity":0}' : printPet(pet)) }),
  },
  {
    name: 'one pet has two and a half',
    because: ITEM,
    stock: '3:12:available 4:2.5:pending 11:0:sold',
    rules: () => ({}),
  },
  {
    name: 'a pet is in the list twice',
    because: '4.1: one entry per tracked pet',
    rules: (shop) => ({ listed: () => [...shop.pets, ...shop.pets.slice(1, 2)] }),
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
    name: 'bodies begin with a byte order mark',
    because: `${JSON_BODIES}, and RFC 8259, 8.1, forbids the mark`,
    rules: () => onAll((reply) => ({ ...reply, body: `\uFEFF${reply.body}` })),
  },
  {
    name: 'errors are text/plain',
    because: JSON_BODIES,
    rules: () => onErrors((reply) => ({ ...reply, headers: { 'content-type': 'text/plain' } })),
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
    name: 'errors claim to be gzip',
    because: `${JSON_BODIES}: this one cannot be read`,
    rules: () => onErrors((reply) => ({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } })),
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

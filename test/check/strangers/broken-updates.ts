import { failure, parseJson, quantityIn } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const INVALID = '4.2, rule 1: when the body lacks quantity or holds an invalid value, then the response is 400'

/** Services that are wrong about the rest of an update, or about what it answers. */
export const BROKEN_UPDATES: readonly Stranger[] = [
  {
    name: 'JSON in a JSON string is read',
    because: '4.2: the body is an InventoryUpdate, and text has no quantity',
    rules: (_, plain) => ({
      readQuantity: (body, call) => plain.readQuantity(typeof body === 'string' ? parseJson(body) : body, call),
    }),
  },
  {
    name: 'NaN is 500',
    because: INVALID,
    rules: (_, plain) => ({
      async update(call, petId) {
        const reply = await plain.update(call, petId)
        return reply.status === 400 && /:\s*NaN/.test(call.body) ? failure(500) : reply
      },
    }),
  },
  {
    name: 'every update is 400',
    because: '4.2: a body with an integer quantity is a success',
    rules: () => ({ readQuantity: () => undefined }),
  },
  {
    name: 'a petId in the body wins over the path',
    because: '4.2: sets the stock quantity of the pet of the path',
    rules: (_, plain) => ({
      update(call, petId) {
        const body = parseJson(call.body)
        const isNamed = typeof body === 'object' && body !== null && 'petId' in body
        return plain.update(call, isNamed ? `${body.petId}` : petId)
      },
    }),
  },
  {
    name: 'chunked request bodies are taken as empty',
    because: '4.2: a body with an integer quantity is a success',
    rules: (_, plain) => ({
      update: (call, petId) =>
        plain.update(call.headers['content-length'] === undefined ? { ...call, body: '' } : call, petId),
    }),
  },
  {
    name: 'a quantity that is stored already is 404',
    because: '4.2: 404 is for a pet that cannot be found (here "0 rows changed" was taken for it)',
    rules: (shop, plain) => ({
      update(call, petId) {
        const pet = shop.pets.find(({ id }) => `${id}` === petId)
        const isSame = pet !== undefined && pet.quantity === quantityIn(parseJson(call.body))
        return isSame && !this.guard(call) ? this.fail(404, call) : plain.update(call, petId)
      },
    }),
  },
]

import { failure, json, parseJson, quantityIn } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const INVALID = '4.2, rule 1: when the body lacks quantity or holds an invalid value, then the response is 400'
const UPDATED = '4.2, rule 4: the response carries the updated quantity'
const QUANTITY_ONLY = '3: the stock update changes only quantity'

/** Services that are wrong about the rest of an update, or about what it answers. */
export const BROKEN_UPDATES: readonly Stranger[] = [
  {
    name: 'an update of nothing is fine',
    because: INVALID,
    rules: (shop, plain) => ({
      async update(call, petId) {
        const pet = shop.pets.find(({ id }) => `${id}` === petId)
        const body = parseJson(call.body)
        const isEmpty = typeof body === 'object' && body !== null && !('quantity' in body)
        if (!pet || !isEmpty || this.guard(call)) return plain.update(call, petId)
        return json(200, this.printUpdated(pet, pet.quantity))
      },
    }),
  },
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
    name: 'quantity 0 keeps the old one',
    because: UPDATED,
    stock: '3:12:available 4:7:pending 11:5:sold',
    rules: () => ({
      store(pet, quantity) {
        pet.quantity = quantity || pet.quantity
      },
      printUpdated: (pet) => `{"petId":${pet.id},"quantity":${pet.quantity},"status":"${pet.status}"}`,
    }),
  },
  {
    name: 'an empty body ends the connection',
    because: INVALID,
    responseLimitMs: 2000,
    rules: (_, plain) => ({
      send(response, reply, call) {
        if (call.method === 'PATCH' && call.body === '' && reply.status === 400) return void call.socket.destroy()
        return plain.send(response, reply, call)
      },
    }),
  },
  {
    name: 'a body that is no object is 500',
    because: INVALID,
    rules: (_, plain) => ({
      async update(call, petId) {
        const body = parseJson(call.body)
        const reply = await plain.update(call, petId)
        return reply.status === 400 && (body === null || typeof body === 'number') ? failure(500) : reply
      },
    }),
  },
  {
    name: 'a refusal is 200 with the error in the body',
    because: INVALID,
    rules: () => ({
      fail: (status) => (status === 400 ? { ...failure(400), status: 200 } : failure(status)),
    }),
  },
  {
    name: 'an invalid quantity is 422',
    because: INVALID,
    rules: () => ({ fail: (status) => failure(status === 400 ? 422 : status) }),
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
    name: 'a status in the body is stored',
    because: QUANTITY_ONLY,
    rules: () => ({
      store(pet, quantity, call) {
        const body = parseJson(call.body)
        pet.quantity = quantity
        if (typeof body === 'object' && body !== null && 'status' in body) pet.status = `${body.status}`
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

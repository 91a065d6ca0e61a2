import { failure, json, parseJson, quantityIn } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const INVALID = '4.2, rule 1: when the body lacks quantity or holds an invalid value, then the response is 400'
const UPDATED = '4.2, rule 4: the response carries the updated quantity'
const NOT_FOUND = '4.2, rule 3: when the pet cannot be found, then the response is 404'
const QUANTITY_ONLY = '3: the stock update changes only quantity'

/** Services that are wrong about what an update may hold, or about what it answers. */
export const BROKEN_UPDATES: readonly Stranger[] = [
  {
    name: 'a numeric string is a quantity',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return typeof quantity === 'string' && /^-?\d+$/.test(quantity)
          ? Number(quantity)
          : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'a fraction is rounded',
    because: INVALID,
    rules: () => ({
      readQuantity(body) {
        const quantity = quantityIn(body)
        return typeof quantity === 'number' ? Math.round(quantity) : undefined
      },
    }),
  },
  {
    name: 'null is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity: (body, call) => (quantityIn(body) === null ? 0 : plain.readQuantity(body, call)),
    }),
  },
  {
    name: 'a missing quantity is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity: (body, call) =>
        typeof body === 'object' && quantityIn(body) === undefined ? 0 : plain.readQuantity(body, call),
    }),
  },
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
    name: 'true is 1',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return typeof quantity === 'boolean' ? Number(quantity) : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'an array of one number is that number',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return Array.isArray(quantity) && quantity.length === 1
          ? plain.readQuantity({ quantity: quantity[0] }, call)
          : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'empty text is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity: (body, call) => (quantityIn(body) === '' ? 0 : plain.readQuantity(body, call)),
    }),
  },
  {
    name: 'text that begins with a number is that number',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        const isText = typeof quantity === 'string' && /^\d+\D/.test(quantity)
        return isText ? Number.parseInt(quantity, 10) : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'text without a number is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return typeof quantity === 'string' && /^[a-z]+$/i.test(quantity) ? 0 : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'false is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity: (body, call) => (quantityIn(body) === false ? 0 : plain.readQuantity(body, call)),
    }),
  },
  {
    name: 'an empty array is 0',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return Array.isArray(quantity) && quantity.length === 0 ? 0 : plain.readQuantity(body, call)
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
    name: 'a quantity that no double holds becomes the largest one',
    because: UPDATED,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = quantityIn(body)
        return quantity === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : plain.readQuantity(body, call)
      },
    }),
  },
  {
    name: 'null is refused and stored as 0',
    because: INVALID,
    rules: (shop, plain) => ({
      update(call, petId) {
        const pet = shop.pets.find(({ id }) => `${id}` === petId)
        if (pet && !this.guard(call) && quantityIn(parseJson(call.body)) === null) pet.quantity = 0
        return plain.update(call, petId)
      },
    }),
  },
  {
    name: 'a negative quantity is refused and applied',
    because: INVALID,
    rules: (shop, plain) => ({
      async update(call, petId) {
        const quantity = this.readQuantity(parseJson(call.body), call)
        const reply = await plain.update(call, petId)
        const isFound = shop.pets.some(({ id }) => `${id}` === petId)
        return reply.status === 200 && isFound && quantity !== undefined && quantity < 0 ? failure(400) : reply
      },
    }),
  },
  {
    name: 'a negative quantity becomes 0',
    because: UPDATED,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = plain.readQuantity(body, call)
        return quantity === undefined ? undefined : Math.max(0, quantity)
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
    name: 'a quantity beyond 2^53 is rounded to a double',
    because: UPDATED,
    rules: () => ({
      readQuantity(body) {
        const quantity = quantityIn(body)
        return typeof quantity === 'number' && Number.isInteger(quantity) && Math.abs(quantity) < 2 ** 63
          ? quantity + 0
          : undefined
      },
    }),
  },
  {
    name: 'malformed JSON is 500',
    because: INVALID,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        if (body === undefined) throw new SyntaxError('Unexpected token')
        return plain.readQuantity(body, call)
      },
      async around(_, next) {
        return next().catch(() => failure(500))
      },
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
    name: 'quantities from 0 to 20 only, and null is refused and stored as 0',
    because: INVALID,
    stock: '3:12:available 4:7:pending 11:0:sold 12:1:available',
    rules: (shop, plain) => ({
      readQuantity(body, call) {
        const quantity = plain.readQuantity(body, call)
        return quantity !== undefined && quantity >= 0 && quantity <= 20 ? quantity : undefined
      },
      async update(call, petId) {
        const reply = await { ...plain, readQuantity: this.readQuantity }.update(call, petId)
        const pet = shop.pets.find(({ id }) => `${id}` === petId)
        if (pet && reply.status === 400 && quantityIn(parseJson(call.body)) === null) pet.quantity = 0
        return reply
      },
    }),
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
  {
    name: 'an unknown pet is 400',
    because: NOT_FOUND,
    rules: (_, plain) => ({
      async update(call, petId) {
        const reply = await plain.update(call, petId)
        return reply.status === 404 ? this.fail(400, call) : reply
      },
    }),
  },
  {
    name: 'an unknown pet is echoed as updated',
    because: NOT_FOUND,
    rules: () => ({
      find(id) {
        return this.listed().find((pet) => pet.id === id) ?? { id, quantity: 0, status: 'available' }
      },
    }),
  },
  {
    name: 'an unknown pet is created',
    because: NOT_FOUND,
    irreparable: 'no operation takes a pet out of the stock',
    rules: (shop) => ({
      find(id) {
        const pet = shop.pets.find((one) => one.id === id) ?? { id, quantity: 0, status: 'available' }
        if (!shop.pets.includes(pet)) shop.pets.push(pet)
        return pet
      },
    }),
  },
  {
    name: 'an id beyond 32 bits is 500',
    because: '4.2: petId is an int64, and a pet that cannot be found is 404',
    stock: '3:12:available 4:7:pending 11:0:sold',
    rules: (_, plain) => ({
      async update(call, petId) {
        const reply = await plain.update(call, petId)
        return reply.status === 404 && Number(petId) > 2 ** 31 ? failure(500) : reply
      },
    }),
  },
]

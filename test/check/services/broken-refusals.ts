import { define, defineLasting, Refusal, refuseAs, stock, toQuantity, type Vary } from './plain-service.ts'

/** Requests that should have been refused, or refused without an effect. */
export const BROKEN_REFUSALS = {
  'unknown-pet-created': defineLasting('An update of an unknown pet creates it and gets a 200.', (base, service) => ({
    find: (petId) => {
      if (!service.pets.some((pet) => pet.petId === petId)) {
        service.pets.push({ petId, quantity: 0, status: 'available' })
      }
      return base.find(petId)
    },
  })),
  'refused-pet-created': defineLasting('An update of an unknown pet gets a 404 and creates it.', (base, service) => ({
    find: (petId) => {
      try {
        return base.find(petId)
      } catch (error) {
        service.pets.push({ petId, quantity: 0, status: 'available' })
        throw error
      }
    },
  })),
  'refused-quantity-stored': define('An invalid quantity is stored as far as it has digits.', (base, service) => ({
    update: (id, call) => {
      const [, digits] = /"quantity"\s*:\s*"?(-?\d+)/.exec(call.body) ?? []
      const pet = service.pets.find(({ petId }) => petId === id)
      if (pet && digits !== undefined) pet.quantity = Number(digits)
      return base.update(id, call)
    },
  })),
  'fraction-cut-off': define('The fraction of a quantity is cut off.', (base) => ({
    parseBody: (call) => base.parseBody({ ...call, body: call.body.replace(/(\d)\.\d+/, '$1') }),
  })),
  'string-accepted': define('A string of digits is accepted as a quantity.', (base) => ({
    parseBody: (call) => base.parseBody({ ...call, body: call.body.replace(/"(-?\d+)"/, '$1') }),
  })),
  'null-is-zero': define('A quantity of null is accepted as 0.', (base) => ({
    parseQuantity: (body) => (toQuantity(body) === null ? 0 : base.parseQuantity(body)),
  })),
  'missing-is-zero': define('An object without a quantity sets the stock to 0.', (base) => ({
    parseQuantity: (body) => base.parseQuantity(body instanceof Object ? { quantity: 0, ...body } : body),
  })),
  'empty-body-accepted': define('An update without a body gets a 200 and changes nothing.', (base, service) => ({
    update: async (id, call) =>
      call.body === '' ? { status: 200, body: service.show(service.find(id)) } : base.update(id, call),
  })),
  'id-start-accepted': define('Only the digits at the start of a petId count, so 1abc is pet 1.', (base) => ({
    parseId: (id) => base.parseId(String(Number.parseInt(id, 10))),
  })),
  'path-start-accepted': define('Paths match by their start: /inventory/1/history is pet 1.', () => ({
    match: (path) => /^\/v1\/inventory(?:\/([^/]+))?/.exec(path),
  })),
  'unknown-pet-400': define('An unknown pet gets a 400.', refuseAs(400, /no_pet/)),
  'long-id-500': define('An id beyond 32 bits gets a 500.', (base) => ({
    find: (petId) => {
      if (Number(petId) > 2 ** 31) throw new RangeError('out of range for type integer')
      return base.find(petId)
    },
  })),
  'id-is-a-place': define('The path holds a place in the list, not an id.', (base, service) => ({
    pets: stock('1:12:available 2:7:pending 3:0:sold 5:250:available'),
    find: (petId) => service.pets[Number(petId) - 1] ?? base.find('none'),
  })),
  'ids-as-doubles': define('Ids are compared as doubles.', (base, service) => ({
    pets: stock('3:12:available 11:0:sold 9007199254740992:3:pending 9007199254740993:41:available'),
    find: (petId) => service.pets.find((pet) => Number(pet.petId) === Number(petId)) ?? base.find(petId),
  })),
  'unknown-id-rounded': define('An unknown pet is found by the double nearest to its id.', (base, service) => ({
    pets: stock('3:12:available 9007199254740993:1:sold'),
    find: (petId) => {
      const near = service.pets.find((pet) => petId.length > 15 && Number(pet.petId) === Number(petId))
      return service.pets.find((pet) => pet.petId === petId) ?? near ?? base.find(petId)
    },
  })),
  'other-pets-404': define('Only the first pet can be updated.', (base, service) => ({
    find: (petId) => (petId === service.pets[0]?.petId ? base.find(petId) : base.find('none')),
  })),
  'ids-cut': define('Ids are cut to 64 bits.', (base) => ({
    parseId: (id) => (/^-?\d+$/.test(id) ? String(BigInt.asIntN(64, BigInt(id))) : base.parseId(id)),
  })),
  'id-fraction-ignored': define('The fraction of an id is ignored.', (base) => ({
    parseId: (id) => base.parseId(id.replace(/\.\d+$/, '')),
  })),
  'id-in-body-wins': define('A petId in the body wins over the path.', (base) => ({
    update: (id, call) => base.update(/"petId":(-?\d+)/.exec(call.body)?.[1] ?? id, call),
  })),
  'body-in-string': define('JSON in a JSON string is read.', (base) => ({
    parseBody: (call) => {
      const body = base.parseBody(call)
      return typeof body === 'string' ? JSON.parse(body) : body
    },
  })),
  'bad-json-500': define('Malformed JSON gets a 500.', () => ({ parseBody: ({ body }) => JSON.parse(body) })),
  'nan-500': define('NaN gets a 500.', (base) => ({
    parseBody: (call) => {
      if (call.body.includes(':NaN')) throw new Error('NaN')
      return base.parseBody(call)
    },
  })),
  'chunked-is-empty': define('Bodies without a Content-Length count as empty.', (base) => ({
    parseBody: (call) => base.parseBody(call.headers['content-length'] === undefined ? { ...call, body: '' } : call),
  })),
  'every-update-400': define('Every update gets a 400.', () => ({
    parseQuantity: () => {
      throw new Refusal(400, 'bad_quantity', 'The quantity is not an integer')
    },
  })),
  'same-quantity-404': define('A quantity that is stored already gets a 404.', (base) => ({
    write: (pet, quantity, call) => {
      if (pet.quantity === quantity) throw new Refusal(404, 'no_pet', '0 rows changed')
      return base.write(pet, quantity, call)
    },
  })),
  'true-is-1': define(
    'A quantity of true is 1.',
    takes((value) => value === true, 1),
  ),
  'false-is-0': define(
    'A quantity of false is 0.',
    takes((value) => value === false),
  ),
  'empty-text-is-0': define(
    'A quantity of empty text is 0.',
    takes((value) => value === ''),
  ),
  'word-is-0': define(
    'A quantity of text without a number is 0.',
    takes((value) => /^[a-z]+$/i.test(toText(value))),
  ),
  'number-before-text': define(
    'Text that begins with a number is it.',
    takes((value) => /^\d+\D/.test(toText(value)), 5),
  ),
  'empty-array-is-0': define(
    'A quantity of [] is 0.',
    takes((value) => Array.isArray(value) && value.length === 0),
  ),
  'array-of-one': define(
    '[5] is 5.',
    takes((value) => Array.isArray(value) && value.length === 1, 5),
  ),
  'infinity-is-largest': define(
    'A quantity that no double holds becomes the largest one.',
    takes((value) => value === Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER),
  ),
  'rounded-to-double': define('A quantity beyond 2^53 is rounded to a double.', (base) => ({
    parseQuantity: (body) => {
      const value = toQuantity(body)
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63 ? Number(value) : base.parseQuantity(body)
    },
  })),
}

/** Accepts what is no integer. */
function takes(isTaken: (value: unknown) => boolean, quantity = 0): Vary {
  return (base) => ({ parseQuantity: (body) => (isTaken(toQuantity(body)) ? quantity : base.parseQuantity(body)) })
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

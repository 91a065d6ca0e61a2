import { failure, quantityIn } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const INVALID = '4.2, rule 1: when the body lacks quantity or holds an invalid value, then the response is 400'
const UPDATED = '4.2, rule 4: the response carries the updated quantity'

/** Services that are wrong about which quantities are valid. */
export const BROKEN_QUANTITIES: readonly Stranger[] = [
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
]

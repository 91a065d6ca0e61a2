import { json, type Pet, parseJson, printPet, type Rules } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const OPEN_ORDER = '4.2: which of two refusals comes first is not shown'
const OPEN_RANGE = '8: minimum, maximum or sign of quantity are not shown'

/** Services that differ only in what the specification allows or does not mention. */
export const SOUND_STRANGERS: readonly Stranger[] = [
  { name: 'a plain service', because: 'all of it', rules: () => ({}) },
  {
    name: 'the pet updated last comes first',
    because: '4.1: the order of the list is not shown',
    rules: (shop) => ({
      store(pet, quantity) {
        pet.quantity = quantity
        shop.pets = [pet, ...shop.pets.filter((one) => one !== pet)]
      },
    }),
  },
  {
    name: 'ids at the edges of int64',
    because: '2: petId is an int64',
    stock:
      '-9223372036854775808:12:available -1:0:sold 0:7:pending 9223372036854775807:3:sold 9223372036854775806:1:available',
    rules: () => ({}),
  },
  { name: 'quantities from 0 to 999 only', because: OPEN_RANGE, rules: (_, plain) => takesOnly(plain, [0, 999]) },
  {
    name: 'quantities from 0 to 20 only',
    because: OPEN_RANGE,
    stock: '3:12:available 4:7:pending 11:0:sold 12:1:available',
    rules: (_, plain) => takesOnly(plain, [0, 20]),
  },
  {
    name: 'quantities from 1 only, and a pet that is sold out',
    because: OPEN_RANGE,
    stock: '11:0:sold 3:12:available 4:7:pending 12:0:available',
    rules: (_, plain) => takesOnly(plain, [1, 10_000]),
  },
  {
    name: 'quantities from 1 only, and no other pet than one that is sold out',
    because: OPEN_RANGE,
    stock: '11:0:sold',
    rules: (_, plain) => takesOnly(plain, [1, 10_000]),
  },
  {
    name: 'quantities in thousands only',
    because: OPEN_RANGE,
    stock: '3:5012:available 4:7000:pending 11:1000:sold',
    rules: (_, plain) => takesOnly(plain, [1000, 10_000]),
  },
  {
    name: 'quantities exact to 63 bits',
    because: OPEN_RANGE,
    rules: () => {
      const exact = new Map<Pet, string>()
      const print = (pet: Pet) => printPet(pet).replace(`:${pet.quantity},"s`, `:${exact.get(pet) ?? pet.quantity},"s`)
      return {
        readQuantity(body, call) {
          const text = /"quantity"\s*:\s*(-?\d+)\s*[,}]/.exec(call.body)?.[1]
          const isInRange = text !== undefined && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
          return typeof body === 'object' && !Array.isArray(body) && isInRange ? Number(text) : undefined
        },
        store(pet, quantity, call) {
          exact.set(pet, `${BigInt(/"quantity"\s*:\s*(-?\d+)/.exec(call.body)?.[1] ?? 0)}`)
          pet.quantity = quantity
        },
        printListed: print,
        printUpdated: print,
      }
    },
  },
  {
    name: 'quantities of 32 bits only, and only digits',
    because: OPEN_RANGE,
    rules: (_, plain) => ({
      readQuantity(body, call) {
        const quantity = plain.readQuantity(body, call)
        const isPlain = /"quantity"\s*:\s*-?\d+\s*[,}]/.test(call.body)
        return isPlain && quantity !== undefined && quantity === (quantity | 0) ? quantity : undefined
      },
    }),
  },
  {
    name: 'unknown fields are refused',
    because: '2: an InventoryUpdate has one field, and 400 is for invalid values',
    rules: (_, plain) => ({
      readQuantity: (body, call) =>
        typeof body === 'object' && Object.keys(body ?? {}).some((name) => name !== 'quantity')
          ? undefined
          : plain.readQuantity(body, call),
    }),
  },
  {
    name: 'other reason phrases',
    because: 'RFC 9112, 4: a client should ignore the reason phrase',
    rules: () => ({
      send(response, { status, headers, body }) {
        response.writeHead(status, status < 300 ? 'Fine' : 'Nope', headers)
        response.end(body)
      },
    }),
  },
  {
    name: 'the body is checked before the key',
    because: OPEN_ORDER,
    rules: (_, plain) => ({
      update(call, petId) {
        const quantity = this.readQuantity(parseJson(call.body), call)
        return quantity === undefined ? this.fail(400, call) : plain.update(call, petId)
      },
    }),
  },
  {
    name: 'the pet is looked up before the body is read',
    because: OPEN_ORDER,
    rules: (_, plain) => ({
      update(call, petId) {
        const refused = this.guard(call)
        if (refused) return refused
        const id = this.readPetId(petId)
        return id === undefined || this.find(id) ? plain.update(call, petId) : this.fail(404, call)
      },
    }),
  },
  {
    name: 'zeros before an id do not count',
    because: '4.2: how an int64 is written in a path is not shown',
    rules: (_, plain) => ({ readPetId: (text) => plain.readPetId(text.replace(/^0+(?=\d)/, '')) }),
  },
  {
    name: 'commas too many are ignored in bodies',
    because: '4.2: what is done with a body that is almost JSON is not shown',
    rules: (_, plain) => ({
      update: (call, petId) => plain.update({ ...call, body: call.body.replace(/,\s*}/, '}') }, petId),
    }),
  },
  {
    name: 'only the word Bearer as it is written',
    because: '5: Authorization: Bearer <API_KEY>',
    rules: (shop) => ({ isAuthorized: ({ headers }) => headers.authorization === `Bearer ${shop.key}` }),
  },
  {
    name: 'named operations that are there',
    because: '1: their behaviour is not shown',
    rules: () => ({
      named(call) {
        return this.guard(call) ?? json(call.path.endsWith('orders') ? 200 : 404, '{"orders":[]}')
      },
    }),
  },
]

function takesOnly(plain: Rules, [min, max]: readonly [number, number]): Partial<Rules> {
  return {
    readQuantity(body, call) {
      const quantity = plain.readQuantity(body, call)
      return quantity !== undefined && quantity >= min && quantity <= max ? quantity : undefined
    },
  }
}

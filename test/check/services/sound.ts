import { setTimeout as wait } from 'node:timers/promises'
import {
  answerWithEtag,
  createCounter,
  define,
  defineLasting,
  isNamed,
  Refusal,
  refuseAs,
  stock,
  toQuantity,
  type Vary,
} from './plain-service.ts'

/** What the specification leaves open is quoted where that may be doubted. */
export const SOUND = {
  plain: define('A sound service without anything special.', () => ({})),
  // "The set of values of `code`: not shown."
  'other-texts': define('Errors have codes like E-404 and messages in German.', (base) => ({
    refuse: ({ status }, call) => base.refuse(new Refusal(status, `E-${status}`, 'Das war leider ungültig.'), call),
  })),
  'order-rotates': define('Each list is in another order.', (base) => {
    let start = 0
    return {
      read: () => {
        start = (start + 1) % base.pets.length
        return [...base.pets.slice(start), ...base.pets.slice(0, start)]
      },
    }
  }),
  'more-properties': define('Pets, errors and headers have more than is specified.', (base) => ({
    toFields: (pet) => ({ _links: '{"self":"/v1"}', ...base.toFields(pet), price: '12.50', name: '"Žofie 🐈"' }),
    refuse: ({ status, code, message }) => ({
      status,
      body: JSON.stringify({ status, traceId: 'a1', details: [{ message }], message, code }),
      headers: { 'x-request-id': 'a1', 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
    }),
  })),
  'other-json': define('JSON is indented and escaped, in another order, with a charset.', (base) => ({
    toFields: (pet) => Object.fromEntries(Object.entries(base.toFields(pet)).reverse()),
    send: ({ status, body }, ...rest) => {
      const spaced = String(body).replaceAll('":', '" :\r\n\t').replaceAll('"status"', '"\\u0073tatus"')
      const headers = { 'content-type': 'Application/JSON;charset="UTF-8"' }
      base.send({ status, body: ` ${spaced}\n`, headers }, ...rest)
    },
  })),
  slow: define('Every response takes 50 ms.', (base) => ({
    answer: async (call) => {
      const reply = await base.answer(call)
      await wait(50)
      return reply
    },
  })),
  // "Rate limits: not shown."
  'rate-limit': define('More than 40 requests a second get a 429 with Retry-After.', limitRate({ 'retry-after': '1' })),
  'rate-limit-bare': define('More than 40 requests a second get a 429 without Retry-After.', limitRate({})),
  'unavailable-for-2s': define('From the 20th request on, all requests get a 503 for 2 s.', (base) => {
    const count = createCounter()
    let until = 0
    return {
      route: (call) => {
        if (count() === 20) until = Date.now() + 2_000
        if (Date.now() < until) throw new Refusal(503, 'down', 'Back in a moment')
        return base.route(call)
      },
    }
  }),
  'requests-dropped': define('Every 13th request is dropped, before it has any effect.', (base) => {
    const count = createCounter()
    return {
      serve: async (request, response) => {
        if (count() % 13 === 0) request.socket.destroy()
        else await base.serve(request, response)
      },
    }
  }),
  'responses-dropped': define('Every 13th response is lost, after the request had its effect.', (base) => {
    const count = createCounter()
    return {
      send: (reply, response, call) => {
        if (count() % 13 === 0) call.socket.destroy()
        else base.send(reply, response, call)
      },
    }
  }),
  // Paths and methods other than those of the two operations are not specified.
  'other-404': define('Paths outside the contract get a 404 in HTML.', refuseAs(404, /no_route/, '<h1>Not found</h1>')),
  // "Scheme: HTTP bearer […], applied to all operations."
  'key-before-path': define('Without a key every path and method gets a 401.', (base, service) => ({
    route: (call) => {
      service.checkKey(call)
      return base.route(call)
    },
  })),
  etags: define('Lists have an ETag, and get a 304 for the present one.', (base) => ({
    list: (call) =>
      answerWithEtag(
        base.list(call),
        call,
        base.pets.flatMap(({ petId, quantity }) => [petId, quantity]),
      ),
  })),
  'big-inventory': define('There are 5,000 pets.', () => ({
    pets: Array.from({ length: 5_000 }, (_, index) => {
      return { petId: String(index * 3 + 1), quantity: (index * 7) % 100, status: index % 2 ? 'available' : 'pending' }
    }),
  })),
  'empty-inventory': define('There are no pets.', () => ({ pets: [] })),
  'single-pet': define('There is one pet.', () => ({ pets: [{ petId: '41', quantity: 1, status: 'pending' }] })),
  // decisions.md: "Every int64 survives exactly: in fixtures, in paths, and as a JSON integer in answers."
  'large-ids': define('The ids are 0, negative or beyond 2^53, and exact.', () => ({
    pets: ['0', '-4', '9007199254740992', '9007199254740993', '-9223372036854775808', '9223372036854775807'].map(
      (petId, index) => {
        return { petId, quantity: index * 10, status: 'available' }
      },
    ),
  })),
  // "Minimum, maximum or sign of `quantity`: not shown." The same goes for the next one, together with
  // 400: "body is missing required fields or contains invalid values".
  'quantity-bounded': define('A quantity below 0 or above 9,999 gets a 400.', bound(0, 9_999)),
  'quantity-to-20': define(
    'A quantity below 0 or above 20 gets a 400.',
    bound(0, 20, '3:12:available 4:7:pending 11:0:sold 12:1:available'),
  ),
  'quantity-from-1': define(
    'A quantity below 1 gets a 400, and two pets are sold out.',
    bound(1, 10_000, '11:0:sold 3:12:available 4:7:pending 12:0:available'),
  ),
  'quantity-from-1-sold-out': define(
    'A quantity below 1 gets a 400, and the only pet has 0.',
    bound(1, 10_000, '11:0:sold'),
  ),
  'quantity-in-thousands': define(
    'A quantity below 1,000 gets a 400.',
    bound(1_000, 10_000, '3:5012:available 4:7000:pending 11:1000:sold'),
  ),
  'quantity-exact': define('Quantities are exact to 63 bits.', (base) => {
    const exact = new Map<string, string>()
    return {
      parseQuantity: (body) => {
        const value = toQuantity(body)
        return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63 ? Number(value) : base.parseQuantity(body)
      },
      write: (pet, quantity, call) => {
        exact.set(pet.petId, /"quantity"\s*:\s*(-?\d+)/.exec(call.body)?.[1] ?? '')
        return base.write(pet, quantity, call)
      },
      toFields: (pet) => ({ ...base.toFields(pet), quantity: exact.get(pet.petId) ?? `${pet.quantity}` }),
    }
  }),
  'quantity-in-digits': define('A quantity has 32 bits and only digits.', (base) => ({
    parseBody: (call) =>
      base.parseBody(/"quantity"\s*:\s*-?\d+\s*[,}]/.test(call.body) ? call : { ...call, body: '{}' }),
    parseQuantity: (body) => {
      const quantity = base.parseQuantity(body)
      if (quantity !== (quantity | 0)) throw new Refusal(400, 'out_of_bounds', 'Use 32 bits')
      return quantity
    },
  })),
  'other-properties-refused': define('A property other than quantity gets a 400.', (base) => ({
    parseQuantity: (body) => {
      const isKnown = Object.keys(Object(body)).every((name) => name === 'quantity')
      return base.parseQuantity(isKnown ? body : {})
    },
  })),
  'bearer-as-written': define('Only the word Bearer is accepted, as it is written.', (base) => ({
    toToken: (call) => (call.headers.authorization?.startsWith('Bearer ') ? base.toToken(call) : undefined),
  })),
  'no-challenge': define('A 401 has no WWW-Authenticate.', (base) => ({
    refuse: (refusal, call) => ({ ...base.refuse(refusal, call), headers: {} }),
  })),
  'named-operations': define('The operations that are only named are there.', (base) => ({
    route: (call) => {
      if (!isNamed(call)) return base.route(call)
      base.checkKey(call)
      if (call.path.endsWith('orders')) return { status: 200, body: '{"orders":[]}' }
      throw new Refusal(404, 'no_pet', 'There is no such pet')
    },
  })),
  // Which of two errors comes first is not shown.
  'body-before-key': define('The body is checked before the key.', (base, service) => ({
    checkKey: (call) => {
      if (service.match(call.path)?.[1] !== undefined) service.parseQuantity(service.parseBody(call))
      base.checkKey(call)
    },
  })),
  'pet-before-body': define('The pet is looked up before the body is read.', (base, service) => ({
    update: (id, call) => {
      service.find(service.parseId(id))
      return base.update(id, call)
    },
  })),
  'others-sell': defineLasting('Another client sells one of pet 12 every 300 ms, and nothing else.', (base) => {
    const sell = () => {
      base.find('12').quantity -= 1
      base.later(300, sell)
    }
    base.later(300, sell)
    return {}
  }),
  // "Transitions: not shown."
  'others-reserve': define('Pet 2 becomes available and pending again in turn, every 300 ms.', (base) => {
    const pet = base.find('2')
    const reserve = () => {
      pet.status = pet.status === 'pending' ? 'available' : 'pending'
      base.later(300, reserve)
    }
    base.later(300, reserve)
    return {}
  }),
  // No rule orders 400 and 401, and to a typed router the path of a malformed petId belongs to no operation.
  'id-before-key': define('A malformed petId gets its 400 before the key is checked.', (base, service) => ({
    checkKey: (call) => {
      const id = service.match(call.path)?.[1]
      if (id !== undefined) service.parseId(id)
      base.checkKey(call)
    },
  })),
  // 400 is for the body, and 404: "the requested resource could not be found".
  'malformed-id-404': define('A malformed petId gets a 404.', refuseAs(404, /bad_id/)),
  // "All bodies are JSON (`application/json`)": a request with another type is outside the contract.
  'content-type-415': define('A body of another content type gets a 415.', refuseAs(415, /bad_type/)),
  // The reasons for a 400 are missing fields and invalid values. decisions.md refuses other types because "a client that
  // passes here must not be refused by the service", so the service may accept them.
}

function bound(min: number, max: number, pets?: string): Vary {
  return (base) => ({
    ...(pets !== undefined && { pets: stock(pets) }),
    parseQuantity: (body) => {
      const quantity = base.parseQuantity(body)
      if (quantity < min || quantity > max) throw new Refusal(400, 'out_of_bounds', `Use ${min} to ${max}`)
      return quantity
    },
  })
}

function limitRate(headers: Readonly<Record<string, string>>): Vary {
  return (base) => {
    let second = 0
    let requests = 0
    return {
      route: (call) => {
        const now = Math.floor(Date.now() / 1_000)
        requests = now === second ? requests + 1 : 1
        second = now
        if (requests > 40) throw new Refusal(429, 'slow_down', 'At most 40 requests per second')
        return base.route(call)
      },
      refuse: (refusal, call) => ({ ...base.refuse(refusal, call), ...(refusal.status === 429 && { headers }) }),
    }
  }
}

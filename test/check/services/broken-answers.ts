import {
  createCounter,
  define,
  defineLasting,
  type PlainService,
  Refusal,
  refuseAs,
  stock,
  type Vary,
} from './plain-service.ts'

/** The stock is right, and what is sent about it is not. */
export const BROKEN_ANSWERS = {
  'response-old-quantity': define('The response of an update has the quantity from before.', () => ({
    confirm: (before) => before,
  })),
  'response-without-status': define('The response of an update has no status.', (base) => ({
    update: async (id, call) => {
      const { status, body } = await base.update(id, call)
      return { status, body: String(body).replace(/,"status":"\w+"/, '') }
    },
  })),
  'update-204': define('An update gets a 204 without a body.', (base) => ({
    update: async (id, call) => ({ ...(await base.update(id, call)), status: 204, body: '' }),
  })),
  'every-fourth-update-500': define('Every fourth update is stored and gets a 500.', (base) => {
    const count = createCounter()
    return {
      confirm: (before, quantity) => {
        if (count() % 4 === 0) throw new Error('no connection to the event bus')
        return base.confirm(before, quantity)
      },
    }
  }),
  'list-500-after-update': define('The first list after an update gets a 500.', (base) => {
    let isChanged = false
    return {
      store: (pet, quantity) => {
        isChanged = true
        base.store(pet, quantity)
      },
      list: (call) => {
        const wasChanged = isChanged
        isChanged = false
        if (wasChanged) throw new Error('the cache is being rebuilt')
        return base.list(call)
      },
    }
  }),
  'list-wrapped': define('The list is an object with the array in items.', (base) => ({
    list: (call) => ({ status: 200, body: `{"items":${base.list(call).body}}` }),
  })),
  'json-in-string': define('Bodies are encoded twice: a JSON string that contains JSON.', (base) => ({
    send: (reply, ...rest) => base.send({ ...reply, body: JSON.stringify(reply.body) }, ...rest),
  })),
  'id-as-string': define('The petId is a string of digits.', (base) => ({
    toFields: (pet) => ({ ...base.toFields(pet), petId: `"${pet.petId}"` }),
  })),
  'ids-rounded': define('An id beyond 2^53 is rounded, so two pets become one.', (base) => ({
    pets: ['1', '9007199254740992', '9007199254740993'].map((petId) => ({ petId, quantity: 5, status: 'available' })),
    parseId: (id) => String(Number(base.parseId(id))),
    toFields: (pet) => ({ ...base.toFields(pet), petId: String(Number(pet.petId)) }),
  })),
  'quantity-six-digits': define('Quantities are printed with %g: 1.23457e+6 for 1234567.', (base) => ({
    toFields: (pet) => {
      const quantity = Math.abs(pet.quantity) < 1e6 ? String(pet.quantity) : pet.quantity.toExponential(5)
      return { ...base.toFields(pet), quantity }
    },
  })),
  'quantity-grouped': defineLasting('Quantities are printed for people, 1.250 for 1250.', (base) => ({
    toFields: (pet) => ({ ...base.toFields(pet), quantity: pet.quantity.toLocaleString('de-DE') }),
  })),
  'status-out-of-stock': define('A pet of which there is none has the status out_of_stock.', (base) => ({
    toFields: (pet) => base.toFields(pet.quantity === 0 ? { ...pet, status: 'out_of_stock' } : pet),
  })),
  'error-nested': define('Error objects are wrapped in an object with the property error.', (base) => ({
    refuse: (refusal, call) => ({ status: refusal.status, body: `{"error":${base.refuse(refusal, call).body}}` }),
  })),
  'error-status-string': define('The status of an Error object is a string.', () => ({
    refuse: ({ status, code, message }) => ({ status, body: JSON.stringify({ code, message, status: `${status}` }) }),
  })),
  'error-with-200': define('Errors are sent with the HTTP status 200.', (base) => ({
    refuse: (refusal, call) => ({ ...base.refuse(refusal, call), status: 200 }),
  })),
  'invalid-body-422': define('What is invalid gets a 422, as from many frameworks.', refuseAs(422, /^400/)),
  'bad-json-html': define('A body that is not JSON gets an error page.', refuseAs(400, /bad_json/, '<h1>Oops</h1>')),
  'null-body-500': define('The body null gets a 500.', (base) => ({
    parseQuantity: (body) => {
      if (body === null) throw new TypeError('null has no properties')
      return base.parseQuantity(body)
    },
  })),
  'type-html': define('JSON is sent as text/html.', (base) => ({
    send: (reply, ...rest) => base.send({ ...reply, headers: { 'content-type': 'text/html' } }, ...rest),
  })),
  'json-latin1': define('Bodies, in which pets have names, are encoded as Latin-1.', (base) => ({
    toFields: (pet) => ({ ...base.toFields(pet), name: '"Kätzchen"' }),
    send: (reply, ...rest) => base.send({ ...reply, body: Buffer.from(`${reply.body}`, 'latin1') }, ...rest),
  })),
  'json-utf16': define('Bodies are encoded as UTF-16, and the content type says so.', (base) => ({
    send: ({ status, body }, ...rest) => {
      const headers = { 'content-type': 'application/json; charset=utf-16le' }
      base.send({ status, body: Buffer.from(`${body}`, 'utf16le'), headers }, ...rest)
    },
  })),
  'length-in-characters': define('Content-Length counts characters, not bytes.', (base) => ({
    toFields: (pet) => ({ ...base.toFields(pet), name: '"Kätzchen"' }),
    send: (reply, ...rest) => base.send({ ...reply, headers: { 'content-length': `${reply.body.length}` } }, ...rest),
  })),
  'updated-id-as-string': define('The petId is a string in the response of an update.', inUpdates(toText)),
  'updated-id-rounded': define('The petId is rounded in the response of an update.', (base, service) => ({
    pets: stock('3:12:available 9007199254740993:41:available'),
    ...inUpdates(toRounded)(base, service),
  })),
  'listed-id-rounded': define('The petId is rounded in the list.', (base) => ({
    pets: stock('3:12:available 4:7:pending 9007199254740993:41:available'),
    list: (call) => ({ status: 200, body: toRounded(`${base.list(call).body}`) }),
  })),
  'listed-thousands-as-text': define('Quantities from 1000 on are listed as text with separators.', (base) => ({
    list: (call) => ({ status: 200, body: `${base.list(call).body}`.replace(/:(\d)(\d{3})\b/g, ':"$1.$2"') }),
  })),
  'one-without-status': define('One pet has no status.', (base) => ({
    toFields: (pet) => {
      const { status = '', ...rest } = base.toFields(pet)
      return pet.petId === '3' ? rest : { ...rest, status }
    },
  })),
  'half-a-pet': define('Of one pet there are two and a half.', () => ({
    pets: stock('3:12:available 4:2.5:pending 11:0:sold'),
  })),
  'pet-listed-twice': define('A pet is in the list twice.', (_base, service) => ({
    read: () => [...service.pets, ...service.pets.slice(1, 2)],
  })),
  'update-308': define('Updates are redirected to the path with a slash.', (base) => ({
    answer: async (call) =>
      call.method === 'PATCH' && !call.path.endsWith('/')
        ? { status: 308, body: '', headers: { location: `${call.path}/` } }
        : base.answer({ ...call, path: call.path.replace(/\/$/, '') }),
  })),
  'update-405': define('Updates want another method.', () => ({
    update: () => {
      throw new Refusal(405, 'wrong_method', 'Use PUT')
    },
  })),
  'byte-order-mark': define('Bodies begin with a byte order mark, which RFC 8259 forbids.', (base) => ({
    send: (reply, ...rest) => base.send({ ...reply, body: `\uFEFF${reply.body}` }, ...rest),
  })),
  'error-text': define('Errors are text/plain.', inErrors({ 'content-type': 'text/plain' })),
  'error-claims-gzip': define('Errors claim to be gzip.', inErrors({ 'content-encoding': 'gzip' })),
  'update-breaks-off': define('Updates break the connection.', (base) => ({
    send: (reply, response, call) =>
      call.method === 'PATCH' ? void call.socket.destroy() : base.send(reply, response, call),
  })),
  'error-without-message': define('A 400 has a list instead of a message.', (base) => ({
    refuse: ({ status, code, message }, call) =>
      status === 400
        ? { status, body: JSON.stringify({ code, errors: [message], status }) }
        : base.refuse(new Refusal(status, code, message), call),
  })),
}

function toText(body: string): string {
  return body.replace(/"petId":(-?\d+)/, '"petId":"$1"')
}

function toRounded(body: string): string {
  return body.replaceAll(/"petId":(-?\d+)/g, (_, id) => `"petId":${BigInt(Number(id))}`)
}

function inUpdates(change: (body: string) => string): Vary {
  return (base: Readonly<PlainService>) => ({
    update: async (id, call) => {
      const { status, body } = await base.update(id, call)
      return { status, body: change(`${body}`) }
    },
  })
}

function inErrors(headers: Readonly<Record<string, string>>): Vary {
  return (base) => ({
    refuse: (refusal, call) => {
      const reply = base.refuse(refusal, call)
      return { ...reply, headers: { ...reply.headers, ...headers } }
    },
  })
}

import { createCounter, define, defineLasting, refuseAs } from './plain-service.ts'

export const BROKEN_KEYS = {
  'any-key': define('Any bearer token is accepted.', () => ({ isKey: (token) => token !== undefined })),
  'key-in-query': define('The key is also accepted from the query.', (base) => ({
    toToken: (call) => base.toToken(call) ?? [...call.query.values()].find((value) => value === base.apiKey),
  })),
  'key-from-basic': define('The key is also accepted as the user or password of Basic.', (base) => ({
    toToken: (call) => {
      const [, basic = ''] = /^basic +(.*)$/i.exec(call.headers.authorization ?? '') ?? []
      const parts = Buffer.from(basic, 'base64').toString().split(':')
      return parts.includes(base.apiKey) ? base.apiKey : base.toToken(call)
    },
  })),
  'any-scheme': define('The key is accepted with any scheme, and without one.', () => ({
    toToken: (call) => call.headers.authorization?.split(' ').at(-1),
  })),
  'list-public': define('The list needs no key.', (base) => ({
    checkKey: (call) => call.method === 'PATCH' && base.checkKey(call),
  })),
  'update-public': define('Updates need no key.', (base) => ({
    checkKey: (call) => call.method !== 'PATCH' && base.checkKey(call),
  })),
  // "When no valid bearer key is sent, then the response is 401", and without a key nobody should learn which pets exist.
  'key-after-lookup': define('Without a key, an unknown pet gets a 404.', (base, service) => ({
    checkKey: (call) => {
      const id = service.match(call.path)?.[1]
      if (id !== undefined) service.find(id)
      base.checkKey(call)
    },
  })),
  'key-after-write': define('A refused key gets its 401 after the update was made.', (base) => ({
    checkKey: (call) => call.method !== 'PATCH' && base.checkKey(call),
    update: async (id, call) => {
      const reply = await base.update(id, call)
      base.checkKey(call)
      return reply
    },
  })),
  'wrong-key-403': define('A wrong key gets a 403; only a missing one gets a 401.', refuseAs(403, /wrong_key/)),
  'key-401-html': define('The 401 is the page of a gateway.', refuseAs(401, /^401/, '<h1>Unauthorized</h1>')),
  'key-flaky': define('The instance of every seventh request does not know the key.', (base) => {
    const count = createCounter()
    return { isKey: (token) => count() % 7 !== 0 && base.isKey(token) }
  }),
  // "How a key is issued and its lifetime: not shown." But a run whose key expires cannot end with "it conforms".
  'key-expires': defineLasting('The key expires after 25 requests.', (base) => {
    const count = createCounter()
    return { isKey: (token) => count() <= 25 && base.isKey(token) }
  }),
}

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
}

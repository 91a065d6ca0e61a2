import { answerWithEtag, createCounter, define, type Pet, type PlainService, type Vary } from './plain-service.ts'

/** The stock is right, and what is sent about it is not. */
export const BROKEN_ANSWERS = {
  'response-old-quantity': define('The response of an update has the quantity from before.', () => ({
    confirm: (before) => before,
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
  'ids-rounded': define('An id beyond 2^53 is rounded, so two pets become one.', (base) => ({
    pets: ['1', '9007199254740992', '9007199254740993'].map((petId) => ({ petId, quantity: 5, status: 'available' })),
    parseId: (id) => String(Number(base.parseId(id))),
    toFields: (pet) => ({ ...base.toFields(pet), petId: String(Number(pet.petId)) }),
  })),
  'ids-beyond-int64': define('The largest int64 is rounded to a double.', (base) => ({
    pets: ['1', '9223372036854775807'].map((petId) => ({ petId, quantity: 5, status: 'available' })),
    toFields: (pet) => ({ ...base.toFields(pet), petId: String(Number(pet.petId)) }),
  })),
  'quantity-six-digits': define('Quantities are printed with %g: 1.23457e+6 for 1234567.', (base) => ({
    toFields: (pet) => {
      const quantity = Math.abs(pet.quantity) < 1e6 ? String(pet.quantity) : pet.quantity.toExponential(5)
      return { ...base.toFields(pet), quantity }
    },
  })),
  'null-body-500': define('The body null gets a 500.', (base) => ({
    parseQuantity: (body) => {
      if (body === null) throw new TypeError('null has no properties')
      return base.parseQuantity(body)
    },
  })),
  'json-latin1': define('Bodies, in which pets have names, are encoded as Latin-1.', (base) => ({
    toFields: (pet) => ({ ...base.toFields(pet), name: '"Kätzchen"' }),
    send: (reply, ...rest) => base.send({ ...reply, body: Buffer.from(`${reply.body}`, 'latin1') }, ...rest),
  })),
  'updated-id-as-string': define('The petId is a string in the response of an update.', inUpdates(toText)),
  'updated-quantity-as-text': define('An updated quantity is listed as text.', (base) => {
    const updated = new Set<string>()
    return {
      store: (pet, quantity) => {
        base.store(pet, quantity)
        updated.add(`${pet.petId} ${quantity}`)
      },
      list: (call) => {
        const show = (pet: Pet): string =>
          updated.has(`${pet.petId} ${pet.quantity}`)
            ? base.show(pet).replace(/("quantity":)(\d+)/, '$1"$2"')
            : base.show(pet)
        return { status: 200, body: `[${base.read(call).map(show)}]` }
      },
    }
  }),
  'listed-thousands-as-text': define('Quantities from 1000 on are listed as text with separators.', (base) => ({
    list: (call) => ({ status: 200, body: `${base.list(call).body}`.replace(/:(\d)(\d{3})\b/g, ':"$1.$2"') }),
  })),
  'etag-of-ids': define('The ETag of a list changes with its ids alone.', (base) => ({
    list: (call) =>
      answerWithEtag(
        base.list(call),
        call,
        base.pets.map(({ petId }) => petId),
      ),
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
  'error-claims-gzip': define('Errors claim to be gzip.', inErrors({ 'content-encoding': 'gzip' })),
  'update-breaks-off': define('Updates break the connection.', (base) => ({
    send: (reply, response, call) =>
      call.method === 'PATCH' ? void call.socket.destroy() : base.send(reply, response, call),
  })),
}

function toText(body: string): string {
  return body.replace(/"petId":(-?\d+)/, '"petId":"$1"')
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

import { setTimeout as wait } from 'node:timers/promises'
import { createCounter, define, defineLasting, type Pet, toQuantity } from './plain-service.ts'

/** Updates that are sent together arrive within this time, also on a busy machine. */
const OVERLAP_MS = 100

/** Updates that are lost, go elsewhere or change something else. */
export const BROKEN_STOCK = {
  'update-not-stored': define('Updates are confirmed and never stored.', () => ({ store: () => {} })),
  'fifth-update-lost': define('Every fifth update is confirmed and not stored.', (base) => {
    const count = createCounter()
    return { store: (pet, quantity) => count() % 5 !== 0 && base.store(pet, quantity) }
  }),
  'concurrent-update-lost': define('An update reads the whole stock and writes it 100 ms later.', (_base, service) => ({
    write: async ({ petId }, quantity) => {
      const stock = service.snapshot()
      await wait(OVERLAP_MS)
      service.pets = stock.map((pet) => (pet.petId === petId ? { ...pet, quantity } : pet))
    },
  })),
  'concurrent-responses-mixed': define('Concurrent updates share the field of the pet to confirm.', (base) => {
    let current: Pet | undefined
    return {
      write: (pet, quantity) => {
        base.store(pet, quantity)
        current = pet
        return wait(OVERLAP_MS)
      },
      confirm: (before) => current ?? before,
    }
  }),
  'two-memories': defineLasting('Two instances take turns, each with a memory of its own.', (base, service) => {
    let other = service.snapshot()
    return {
      route: (call) => {
        const mine = other
        other = service.pets
        service.pets = mine
        return base.route(call)
      },
    }
  }),
  'quantity-added': defineLasting('The quantity is added to the stock.', (base) => ({
    store: (pet, quantity) => base.store(pet, pet.quantity + quantity),
    confirm: (before, quantity) => ({ ...before, quantity: before.quantity + quantity }),
  })),
  'ids-with-same-start': define('An update of pet 1 also changes pet 12, whose id starts with 1.', (base, service) => ({
    store: ({ petId }, quantity) => {
      for (const pet of service.pets) if (pet.petId.startsWith(petId)) base.store(pet, quantity)
    },
  })),
  'status-follows-quantity': define('An update sets the status: sold for 0, available for more.', () => ({
    store: (pet, quantity) => Object.assign(pet, { quantity, status: quantity === 0 ? 'sold' : 'available' }),
  })),
  'status-in-body-stored': define('A status in the body is stored too, and confirmed.', (base) => ({
    write: (pet, quantity, call) =>
      Object.assign(pet, { status: pet.status, ...JSON.parse(call.body), petId: pet.petId, quantity }),
    confirm: ({ petId }) => base.find(petId),
  })),
  'zero-removes': defineLasting('A pet whose quantity is set to 0 is removed.', (base, service) => ({
    store: (pet, quantity) => {
      if (quantity === 0) service.pets = service.pets.filter((other) => other !== pet)
      base.store(pet, quantity)
    },
  })),
  'zero-hidden': define('The list leaves out pets of which there are none.', (base) => ({
    read: () => base.pets.filter((pet) => pet.quantity !== 0),
  })),
  'zero-not-stored': defineLasting('A quantity of 0 counts as none: confirmed and not stored.', (base) => ({
    store: (pet, quantity) => base.store(pet, quantity || pet.quantity),
  })),
  'zero-refused': defineLasting('A quantity of 0 counts as missing and gets a 400.', (base) => ({
    parseQuantity: (body) => base.parseQuantity(toQuantity(body) === 0 ? {} : body),
  })),
  'negative-clamped': define('A negative quantity is confirmed, and 0 is stored.', (base) => ({
    store: (pet, quantity) => base.store(pet, Math.max(quantity, 0)),
  })),
  'int32-wraps': define('Quantities are stored as int32, and larger ones wrap around.', (base) => ({
    store: (pet, quantity) => base.store(pet, quantity | 0),
  })),
  'float32-rounds': define('Quantities are stored as float32, which rounds above 16,777,216.', (base) => ({
    store: (pet, quantity) => base.store(pet, Math.fround(quantity)),
  })),
}

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
}

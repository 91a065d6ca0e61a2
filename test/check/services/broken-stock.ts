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
  'float32-rounds': define('Quantities are stored as float32, which rounds above 16,777,216.', (base) => ({
    store: (pet, quantity) => base.store(pet, Math.fround(quantity)),
  })),
  'hundred-is-99': define('A quantity of 100 is stored as 99.', (base) => ({
    store: (pet, quantity) => base.store(pet, quantity === 100 ? 99 : quantity),
  })),
  'second-update-lost': define('Every second update of a pet is lost.', (base) => {
    const counts = new Map<Pet, () => number>()
    return {
      store: (pet, quantity) => {
        const count = counts.get(pet) ?? createCounter()
        counts.set(pet, count)
        if (count() % 2 === 1) base.store(pet, quantity)
      },
    }
  }),
  'last-pet-updated': define('The last pet of the list gets every update.', (base, service) => ({
    store: (_pet, quantity) => base.store(service.pets.at(-1) as Pet, quantity),
  })),
  'next-pet-one-less': define('The next pet gets one less at each update.', (base, service) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      const next = service.pets[service.pets.indexOf(pet) + 1]
      if (next) next.quantity -= 1
    },
  })),
  'same-status-same-quantity': defineLasting('All pets of a status get the quantity.', (base, service) => ({
    store: ({ status }, quantity) => {
      for (const pet of service.pets) if (pet.status === status) base.store(pet, quantity)
    },
  })),
  'update-takes-back': define('An update takes back the one before, of another pet.', (base) => {
    const start = new Map(base.pets.map((pet) => [pet, pet.quantity]))
    return {
      store: (pet, quantity) => {
        for (const [each, old] of start) base.store(each, old)
        base.store(pet, quantity)
      },
    }
  }),
  'sold-becomes-available': define('A sold pet that gets stock is available.', (base) => ({
    store: (pet, quantity) =>
      Object.assign(pet, { quantity, status: pet.status === 'sold' && quantity > 0 ? 'available' : pet.status }),
    confirm: ({ petId }) => base.find(petId),
  })),
  'updated-listed-twice': define('An updated pet is listed twice.', (base) => {
    const log = base.snapshot()
    return {
      read: () => log,
      store: (pet, quantity) => {
        base.store(pet, quantity)
        log.push({ ...pet })
      },
    }
  }),
}

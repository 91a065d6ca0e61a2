import { setTimeout as wait } from 'node:timers/promises'
import { type Call, createCounter, type Pet, type PlainService, Refusal, stock, type Vary } from './plain-service.ts'

/** What goes wrong: with the pet that a request names, if there is one. */
export type Harm = (service: PlainService, pet: Pet | undefined) => void

/** Something that harms the stock, at one pet or at others. */
export const HARMS = {
  'deletes the pet': (service, pet) => remove(service, (each) => each === pet),
  'deletes the next pet': (service, pet) => remove(service, (each) => each === next(service, pet)),
  'deletes the last pet': (service) => remove(service, (each) => each === service.pets.at(-1)),
  'deletes the other pets': (service, pet) => remove(service, (each) => each !== pet),
  'deletes all pets': (service) => remove(service, () => true),
  'deletes all pets of the status': (service, pet) => remove(service, (each) => each.status === pet?.status),
  'creates a pet': (service) => create(service, '500'),
  'creates a pet each time': (service) => create(service, String(1000 + service.pets.length)),
  'creates the pet a second time': (service, pet) => create(service, pet?.petId ?? '77'),
  'forgets the status': (_service, pet) => pet && Object.assign(pet, { status: null }),
  'sells the pet': (_service, pet) => pet && Object.assign(pet, { status: 'sold' }),
  'sells the next pet': (service, pet) => Object.assign(next(service, pet) ?? {}, { status: 'sold' }),
  'makes all pets available': (service) => setAll(service, { status: 'available' }),
  'swaps two statuses': (service, pet) => swap(service, pet, 'status'),
  'swaps two quantities': (service, pet) => swap(service, pet, 'quantity'),
  'empties the other pets': ({ pets }, pet) => {
    for (const each of pets) if (each !== pet) each.quantity = 0
  },
  'takes one of each pet': ({ pets }) => {
    for (const each of pets) each.quantity -= 1
  },
  'sets all pets to 5': (service) => setAll(service, { quantity: 5 }),
  'gives the pet another id': (service, pet) => {
    if (pet !== undefined) service.pets[service.pets.indexOf(pet)] = { ...pet, petId: `${pet.petId}0` }
  },
} satisfies Record<string, Harm>

/** When a service does harm, as it comes with requests. */
export const MOMENTS = {
  'at each update': (harm) => afterUpdate(harm),
  'at each third update': (harm) => (base, service) => {
    const count = createCounter()
    return afterUpdate((...changed) => count() % 3 === 0 && harm(...changed))(base, service)
  },
  'at an update to more than 10,000': (harm) => (base, service) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      if (quantity > 10_000) harm(service, pet)
    },
  }),
  'at an update to 0': (harm) => (base, service) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      if (quantity === 0) harm(service, pet)
    },
  }),
  '100 ms after an update': (harm) => (base, service) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      base.later(100, () => harm(service, pet))
    },
  }),
  'at an update, which is a 500': (harm) => (base, service) => ({
    confirm: (before, quantity) => {
      harm(service, findPet(service, before.petId))
      if (quantity !== before.quantity) throw new Error('no connection to the event bus')
      return base.confirm(before, quantity)
    },
  }),
  'at an update, whose connection breaks': (harm) => (base, service) => ({
    send: (reply, response, call) => {
      if (call.method !== 'PATCH' || reply.status !== 200) return base.send(reply, response, call)
      harm(service, toPet(service, call))
      call.socket.destroy()
    },
  }),
  'at a refused body': (harm) => atRefusal(400, harm),
  'at a wrong key': (harm) => atRefusal(401, harm),
  'at an unknown pet': (harm) => atRefusal(404, harm),
  'at a tenth list': (harm) => (base, service) => {
    const count = createCounter()
    return {
      list: (call) => {
        if (count() % 10 === 0) harm(service, service.pets[0])
        return base.list(call)
      },
    }
  },
} satisfies Record<string, (harm: Harm) => Vary>

/** Services that change more than they should, or do not take their stock back. */
export const DAMAGING = {
  'creates an unknown pet': (base, service) => ({
    find: (petId) => {
      if (findPet(service, petId) === undefined) create(service, petId)
      return base.find(petId)
    },
  }),
  'creates an unknown pet, and sends a 404': (_base, service) => ({
    find: (petId) => {
      const pet = findPet(service, petId)
      if (pet !== undefined) return pet
      create(service, petId)
      throw new Refusal(404, 'no_pet', 'There is no such pet')
    },
  }),
  'rounds an id to that of another pet': (base, service) => ({
    pets: stock('3:12:available 9007199254740992:40:sold 9007199254740994:4:pending'),
    find: (petId) => service.pets.find((pet) => Number(pet.petId) === Number(petId)) ?? base.find(petId),
  }),
  'creates the pet of a rounded id': (_base, service) => ({
    pets: stock('3:12:available 9007199254740993:4:pending'),
    find: (petId) => {
      if (findPet(service, petId) === undefined) create(service, String(BigInt(Math.round(Number(petId)))))
      return findPet(service, petId) ?? (service.pets.at(-1) as Pet)
    },
  }),
  'creates a pet for an id that is text': (base, service) => ({
    parseId: (id) => {
      if (!/^-?\d+$/.test(id)) create(service, '0')
      return base.parseId(id)
    },
  }),
  'deletes a pet at a path behind it': (base, service) => ({
    route: (call) => {
      if (call.path.endsWith('/history')) remove(service, ({ petId }) => call.path.includes(`/${petId}/`))
      return base.route(call)
    },
  }),
  'updates the next pet': (base, service) => ({
    store: (pet, quantity) => base.store(next(service, pet) ?? pet, quantity),
  }),
  'loses half of the updates': (base) => {
    const count = createCounter()
    return { store: (pet, quantity) => void (count() % 2 === 0 && base.store(pet, quantity)) }
  },
  'refuses all updates after 30': (base) => {
    const count = createCounter()
    return {
      store: (pet, quantity) => {
        if (count() > 30) throw new Refusal(400, 'too_many', 'Enough for today')
        base.store(pet, quantity)
      },
    }
  },
  'loses all updates after 30': (base) => {
    const count = createCounter()
    return { store: (pet, quantity) => void (count() <= 30 && base.store(pet, quantity)) }
  },
  'sends a 500 for all updates after 30': (base) => {
    const count = createCounter()
    return {
      store: (pet, quantity) => {
        if (count() > 30) throw new Error('the disk is full')
        base.store(pet, quantity)
      },
    }
  },
  'refuses a smaller quantity': (base) => ({
    store: (pet, quantity) => {
      if (quantity < pet.quantity) throw new Refusal(400, 'less', 'Sell them instead')
      base.store(pet, quantity)
    },
  }),
  'takes each quantity of a pet once': (base) => {
    const taken = new Set<string>()
    return {
      store: (pet, quantity) => {
        const update = `${pet.petId} ${quantity}`
        if (taken.has(update)) throw new Refusal(400, 'again', 'It had this quantity')
        taken.add(update)
        base.store(pet, quantity)
      },
    }
  },
  'cuts quantities above 100': (base) => ({
    store: (pet, quantity) => base.store(pet, Math.min(quantity, 100)),
    confirm: (before, quantity) => ({ ...before, quantity: Math.min(quantity, 100) }),
  }),
  'adds the quantity': (base) => ({ store: (pet, quantity) => base.store(pet, pet.quantity + quantity) }),
  'sets all pets to 1 at a refused body': (_base, service) => ({
    parseQuantity: (body) => {
      const quantity = body instanceof Object && 'quantity' in body ? body.quantity : undefined
      if (Number.isSafeInteger(quantity)) return Number(quantity)
      setAll(service, { quantity: 1 })
      throw new Refusal(400, 'bad_quantity', 'The quantity is not an integer')
    },
  }),
  'updates, and then refuses the key': (base) => ({
    checkKey: (call) => call.method !== 'PATCH' && base.checkKey(call),
    update: async (id, call) => {
      const reply = await base.update(id, call)
      base.checkKey(call)
      return reply
    },
  }),
  'merges the body into the pet': (_base, service) => ({
    write: (pet, quantity, call) => {
      service.pets[service.pets.indexOf(pet)] = { ...pet, ...JSON.parse(call.body), petId: toId(call, pet), quantity }
    },
    confirm: (before, quantity) => ({ ...before, quantity }),
  }),
  'replaces the pet without its status': (_base, service) => ({
    write: (pet, quantity) => {
      service.pets[service.pets.indexOf(pet)] = { petId: pet.petId, quantity, status: 'null' }
    },
  }),
  'resets the other pets': (base) => {
    const start = new Map(base.pets.map((pet) => [pet, pet.quantity]))
    return {
      store: (pet, quantity) => {
        for (const [each, old] of start) base.store(each, old)
        base.store(pet, quantity)
      },
    }
  },
  'loses one of two updates at once': (_base, service) => ({
    write: async ({ petId }, quantity) => {
      const pets = service.snapshot()
      await wait(50)
      service.pets = pets.map((pet) => (pet.petId === petId ? { ...pet, quantity } : pet))
    },
  }),
  'makes a sold pet with stock available': (base) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      if (pet.status === 'sold' && quantity > 0) pet.status = 'available'
    },
  }),
} satisfies Record<string, Vary>

/** Each of them, and each harm at each moment. */
export const HARMFUL: readonly (readonly [name: string, vary: Vary])[] = [
  ...Object.entries(DAMAGING),
  ...Object.entries(MOMENTS).flatMap(([moment, at]) =>
    Object.entries(HARMS).map(([name, harm]): [string, Vary] => [`${name} ${moment}`, at(harm)]),
  ),
]

function afterUpdate(harm: Harm | ((...changed: Parameters<Harm>) => unknown)): Vary {
  return (base, service) => ({
    store: (pet, quantity) => {
      base.store(pet, quantity)
      harm(service, pet)
    },
  })
}

function atRefusal(status: number, harm: Harm): Vary {
  return (base, service) => ({
    refuse: (refusal, call) => {
      const isUpdate = call.method === 'PATCH' && refusal.status === status
      if (isUpdate) harm(service, toPet(service, call) ?? service.pets[0])
      return base.refuse(refusal, call)
    },
  })
}

function findPet({ pets }: PlainService, petId: string): Pet | undefined {
  return pets.find((pet) => pet.petId === petId)
}

function toPet(service: PlainService, { path }: Call): Pet | undefined {
  return findPet(service, path.split('/').at(-1) ?? '')
}

function toId({ body }: Call, { petId }: Pet): string {
  return /"petId":(-?\d+)/.exec(body)?.[1] ?? petId
}

function next({ pets }: PlainService, pet: Pet | undefined): Pet | undefined {
  return pet && pets[pets.indexOf(pet) + 1]
}

function remove(service: PlainService, isRemoved: (pet: Pet) => boolean): void {
  service.pets = service.pets.filter((pet) => !isRemoved(pet))
}

function create({ pets }: PlainService, petId: string): void {
  pets.push({ petId, quantity: 1, status: 'available' })
}

function setAll({ pets }: PlainService, change: Partial<Pet>): void {
  for (const pet of pets) Object.assign(pet, change)
}

function swap(service: PlainService, pet: Pet | undefined, property: 'quantity' | 'status'): void {
  const other = next(service, pet)
  if (pet === undefined || other === undefined) return
  const { [property]: kept } = pet
  Object.assign(pet, { [property]: other[property] })
  Object.assign(other, { [property]: kept })
}

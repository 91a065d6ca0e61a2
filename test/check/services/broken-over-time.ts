import { createCounter, define, defineLasting, type Pet, type PlainService, type Reply } from './plain-service.ts'

/** Correct if nobody asks again at once, or if everybody waits long enough. */
export const BROKEN_OVER_TIME = {
  'list-cached': define('Lists are cached for one second, and an update does not clear the cache.', (base) => {
    let cache = base.snapshot()
    let freshUntil = 0
    return {
      read: () => {
        if (Date.now() < freshUntil) return cache
        freshUntil = Date.now() + 1_000
        cache = base.snapshot()
        return cache
      },
    }
  }),
  'list-empty-after-update': define('The first list after an update is empty.', (base, service) => {
    let isCold = false
    return {
      read: () => {
        const pets = isCold ? [] : service.pets
        isCold = false
        return pets
      },
      store: (pet, quantity) => {
        base.store(pet, quantity)
        isCold = true
      },
    }
  }),
  'replica-behind': define('Lists come from a replica that is 300 ms behind.', (base) => {
    const replica = createReplica(base, 300)
    return { write: replica.write, read: () => replica.pets }
  }),
  'one-slow-replica': define('Every third list comes from a replica that is 1.5 s behind.', (base) => {
    const replica = createReplica(base, 1_500)
    const count = createCounter()
    return { write: replica.write, read: () => (count() % 3 === 0 ? replica.pets : base.pets) }
  }),
  'writes-overtake': defineLasting('Writes follow after the response, and every other one is 300 ms late.', (base) => {
    const count = createCounter()
    return { write: (pet, quantity) => base.later((count() % 2) * 300, () => base.store(pet, quantity)) }
  }),
  'writes-debounced': define('An update is written when its pet had no other for 400 ms.', (base) => {
    const latest = new Map<Pet, symbol>()
    return {
      write: (pet, quantity) => {
        const turn = Symbol()
        latest.set(pet, turn)
        base.later(400, () => latest.get(pet) === turn && base.store(pet, quantity))
      },
    }
  }),
  'write-expires': define('An update lives in a cache for 800 ms and never reaches the database.', (base) => {
    const database = new Map(base.pets.map((pet) => [pet, pet.quantity]))
    return {
      write: (pet, quantity) => {
        base.store(pet, quantity)
        base.later(800, () => base.store(pet, database.get(pet) ?? 0))
      },
    }
  }),
  'undone-after-5s': defineLasting('An update is undone after five seconds.', (base) => ({
    write: (pet, quantity) => {
      const { quantity: before } = pet
      base.store(pet, quantity)
      base.later(5_000, () => base.store(pet, before))
    },
  })),
  'refused-update-late': define('A refused key gets its 401, and its update is made 200 ms later.', (base) => ({
    refuse: (refusal, call) => {
      const pet = base.pets.find(({ petId }) => call.path.endsWith(`/${petId}`))
      const quantity = /"quantity":(\d+)/.exec(call.body)?.[1]
      if (refusal.status === 401 && pet && quantity) base.later(200, () => base.store(pet, Number(quantity)))
      return base.refuse(refusal, call)
    },
  })),
  'write-rolled-back': defineLasting('Every third update is visible and rolled back after 500 ms.', (base) => {
    const count = createCounter()
    return {
      write: (pet, quantity) => {
        const { quantity: before } = pet
        base.store(pet, quantity)
        if (count() % 3 === 0) base.later(500, () => base.store(pet, before))
      },
    }
  }),
  'updates-replayed': define('An update like one of the last 2 s is answered as then and not made.', (base) => {
    const replies = new Map<string, Promise<Reply>>()
    return {
      update: (id, call) => {
        const sent = `${id} ${call.body}`
        const reply = replies.get(sent) ?? base.update(id, call)
        if (!replies.has(sent)) base.later(2_000, () => replies.delete(sent))
        replies.set(sent, reply)
        return reply
      },
    }
  }),
}

/** A copy of the stock, which gets each update later. */
function createReplica(base: Readonly<PlainService>, lagMs: number) {
  const pets = base.snapshot()
  return {
    pets,
    write: (pet: Pet, quantity: number) => {
      base.store(pet, quantity)
      const copy = pets.find(({ petId }) => petId === pet.petId)
      if (copy) base.later(lagMs, () => base.store(copy, quantity))
    },
  }
}

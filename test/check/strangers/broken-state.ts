import { type Pet, printPet } from './stranger-rules.ts'
import type { Stranger } from './stranger-service.ts'

const CURRENT = '4.1: the list returns current stock levels for all pets'
const ONE_PET = '4.2: an update sets the stock quantity of one pet, the one identified by petId'
const STATUS = '3: no rule links quantity to status'

/** Services that store something else than they say, or show something else than they store. */
export const BROKEN_STATE: readonly Stranger[] = [
  {
    name: 'quantities from 1000 on are listed as text with separators',
    because: '2: quantity is an integer',
    rules: () => ({
      printListed: (pet) =>
        pet.quantity < 1000
          ? printPet(pet)
          : `{"petId":${pet.id},"quantity":"${pet.quantity.toLocaleString('de-DE')}","status":"${pet.status}"}`,
    }),
  },
  {
    name: 'the two lists after an update are still the old one',
    because: CURRENT,
    rules: (shop) => {
      let shown: readonly Pet[] = shop.pets.map((pet) => ({ ...pet }))
      let left = 0
      return {
        listed() {
          if (left === 0) shown = shop.pets.map((pet) => ({ ...pet }))
          left = Math.max(0, left - 1)
          return shown
        },
        store(pet, quantity) {
          pet.quantity = quantity
          left = 2
        },
      }
    },
  },
  {
    name: 'every second update of a pet is lost',
    because: ONE_PET,
    rules: () => {
      const updates = new Map<Pet, number>()
      return {
        store(pet, quantity) {
          const count = (updates.get(pet) ?? 0) + 1
          updates.set(pet, count)
          if (count % 2 === 1) pet.quantity = quantity
        },
        printUpdated: (pet, quantity) => printPet({ ...pet, quantity }),
      }
    },
  },
  {
    name: 'the last pet of the list gets every update',
    because: ONE_PET,
    rules: (shop) => ({
      store(_, quantity) {
        const last = shop.pets.at(-1)
        if (last) last.quantity = quantity
      },
      printUpdated: (pet, quantity) => printPet({ ...pet, quantity }),
    }),
  },
  {
    name: 'the next pet gets one less at each update',
    because: ONE_PET,
    rules: (shop) => ({
      store(pet, quantity) {
        pet.quantity = quantity
        const next = shop.pets[shop.pets.indexOf(pet) + 1]
        if (next) next.quantity -= 1
      },
    }),
  },
  {
    name: 'all pets of the same status get the quantity',
    because: ONE_PET,
    stock: '3:12:available 4:7:pending 11:0:sold 12:250:available',
    irreparable: 'the two available pets cannot have different quantities any more',
    rules: (shop) => ({
      store(pet, quantity) {
        for (const one of shop.pets) if (one.status === pet.status) one.quantity = quantity
      },
    }),
  },
  {
    name: 'an update takes back the one before, of another pet',
    because: ONE_PET,
    rules: (shop) => {
      const start = new Map(shop.pets.map((pet) => [pet, pet.quantity]))
      return {
        store(pet, quantity) {
          for (const [one, old] of start) one.quantity = old
          pet.quantity = quantity
        },
      }
    },
  },
  {
    name: 'a sold pet that gets stock is available',
    because: STATUS,
    irreparable: 'no operation sets a status',
    rules: () => ({
      store(pet, quantity) {
        pet.quantity = quantity
        if (pet.status === 'sold' && quantity > 0) pet.status = 'available'
      },
    }),
  },
  {
    name: 'an updated pet is listed twice',
    because: '4.1: one entry per tracked pet',
    rules: (shop) => {
      const log: Pet[] = shop.pets.map((pet) => ({ ...pet }))
      return {
        listed: () => log,
        store(pet, quantity) {
          pet.quantity = quantity
          log.push({ ...pet })
        },
      }
    },
  },
  {
    name: 'the first list after an update is empty',
    because: CURRENT,
    rules: (shop) => {
      let isCold = false
      return {
        listed() {
          const pets = isCold ? [] : shop.pets
          isCold = false
          return pets
        },
        store(pet, quantity) {
          pet.quantity = quantity
          isCold = true
        },
      }
    },
  },
]

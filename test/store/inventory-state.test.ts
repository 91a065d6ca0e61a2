import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Pet, type PetKey, toItemJson, writePetList } from '../../src/inventory/pet.ts'
import { InventoryState, type Layer, type StateChange } from '../../src/store/inventory-state.ts'
import { PetTable } from '../../src/store/pet-table.ts'
import { createSeed, type Seed } from '../../src/store/seed.ts'

describe('a state after any changes', () => {
  const [first, second] = [openSeed([1, 2, 3, 4, 5, 6]), openSeed([8, 4, 2])]
  const petId = fc.integer({ min: 1, max: 9 }).map(toKey)
  // Few values, so that a pet often becomes what it is, or what it was in the seed.
  const pet = fc.record<Pet>({
    petId,
    quantity: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom('available', 'sold'),
  })
  const step = fc.oneof(
    { weight: 6, arbitrary: pet.map((given) => (at: Both) => at.put(given)) },
    { weight: 4, arbitrary: petId.map((id) => (at: Both) => at.remove(id)) },
    { weight: 1, arbitrary: fc.array(pet, { maxLength: 4 }).map((pets) => (at: Both) => at.putAll(pets)) },
    { weight: 1, arbitrary: fc.array(pet, { maxLength: 8 }).map((pets) => (at: Both) => at.replace(pets)) },
    { weight: 1, arbitrary: fc.constantFrom(first, second, undefined).map((seed) => (at: Both) => at.reset(seed)) },
    { weight: 1, arbitrary: fc.constant((at: Both) => at.snapshot()) },
    { weight: 1, arbitrary: fc.nat().map((drawn) => (at: Both) => at.restore(drawn)) },
  )

  test('has the pets of a plain list, in which those of the seed have their places and the others come last', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), fc.boolean(), (steps, isListed) => {
        const both = new Both(first)
        for (const take of steps) {
          take(both)
          // What is kept of one list must not be in the next one.
          if (isListed) both.expectSame()
        }
        both.expectSame()
      }),
      { numRuns: 500 },
    )
  })
})

interface Model {
  readonly seed: Seed
  readonly pets: readonly Pet[]
}

interface Saved {
  readonly layer: Layer
  readonly model: Model
}

/** A state, and the plain list that it has to equal. */
class Both {
  readonly #told: StateChange['type'][] = []
  readonly #state: InventoryState
  readonly #snapshots: Saved[] = []
  #model: Model

  constructor(seed: Seed) {
    this.#state = new InventoryState(seed, ({ type }) => this.#told.push(type))
    this.#model = toModel(seed)
    this.snapshot()
  }

  put(pet: Pet): void {
    const before = this.#find(pet.petId)
    const isSame = before !== undefined && toItemJson(before) === toItemJson(pet)
    expect(this.#state.put(pet)).toMatchObject(pet)
    this.#write(pet)
    this.#expectTold(isSame ? [] : ['pet'])
  }

  remove(petId: PetKey): void {
    const isThere = this.#find(petId) !== undefined
    expect(this.#state.remove(petId)).toBe(isThere)
    this.#model = { ...this.#model, pets: this.#model.pets.filter((pet) => pet.petId !== petId) }
    this.#expectTold(isThere ? ['pet-removed'] : [])
  }

  putAll(pets: readonly Pet[]): void {
    this.#state.putAll(pets)
    for (const pet of pets) this.#write(pet)
    this.#expectTold(['state'])
  }

  replace(pets: readonly Pet[]): void {
    const table = new PetTable(pets)
    this.#state.replace(table)
    this.#model = { ...this.#model, pets: [] }
    for (const pet of table.values()) this.#write(pet)
    this.#expectTold(['state'])
  }

  reset(seed: Seed | undefined): void {
    this.#state.reset(seed)
    this.#model = toModel(seed ?? this.#model.seed)
    this.#expectTold(['state'])
  }

  snapshot(): void {
    this.#snapshots.push({ layer: this.#state.snapshot(), model: this.#model })
  }

  restore(drawn: number): void {
    const { layer, model } = this.#snapshots[drawn % this.#snapshots.length] as Saved
    this.#state.restore(layer)
    this.#model = model
    this.#expectTold(['state'])
  }

  expectSame(): void {
    const { seed, pets } = this.#model
    const [state, wanted] = [this.#state, `[${pets.map(toItemJson).join(',')}]`]
    expect(readList(state)).toBe(wanted)
    expect(new TextDecoder().decode(writePetList(state.values()))).toBe(wanted)
    for (let id = 0; id < 10; id += 1) expect(state.get(toKey(id))).toEqual(this.#find(toKey(id)))
    const removed = [...seed.pets.values()].filter(({ petId }) => this.#find(petId) === undefined)
    const changed = pets.filter((pet) => {
      const seeded = seed.pets.get(pet.petId)
      return seeded === undefined || toItemJson(seeded) !== toItemJson(pet)
    })
    expect([state.seed, state.size, state.changes]).toEqual([seed, pets.length, removed.length + changed.length])
    const changes = state.listChanges()
    expect(changes.removed.toSorted()).toEqual(removed.map(({ petId }) => petId).toSorted())
    expect(changes.pets.map(toItemJson).toSorted()).toEqual(changed.map(toItemJson).toSorted())
  }

  #find(petId: PetKey): Pet | undefined {
    return this.#model.pets.find((pet) => pet.petId === petId)
  }

  #write(pet: Pet): void {
    const { seed, pets } = this.#model
    const ids = Array.from(seed.pets.values(), ({ petId }) => petId)
    const toPlace = ({ petId }: Pet): number => (ids.includes(petId) ? ids.indexOf(petId) : ids.length)
    const isThere = this.#find(pet.petId) !== undefined
    const next = isThere ? pets.map((each) => (each.petId === pet.petId ? pet : each)) : [...pets, pet]
    this.#model = { seed, pets: next.toSorted((one, other) => toPlace(one) - toPlace(other)) }
  }

  #expectTold(types: readonly StateChange['type'][]): void {
    expect(this.#told.splice(0)).toEqual(types)
  }
}

function toModel(seed: Seed): Model {
  return { seed, pets: [...seed.pets.values()] }
}

describe('a state', () => {
  const seed = openSeed([1, 2, 3, 4, 5])
  const pet = { petId: toKey(1), quantity: 77, status: 'sold' } as const

  test('that is unchanged shares the list of its seed, also after its changes were undone', () => {
    const state = new InventoryState(seed)
    expect(state.toList()).toBe(seed.toList())
    state.put(pet)
    expect(state.toList()).not.toBe(seed.toList())
    state.put(seed.pets.get(toKey(1)) as Pet)
    state.remove(toKey(2))
    state.put(seed.pets.get(toKey(2)) as Pet)
    expect([state.changes, state.toList()]).toEqual([0, seed.toList()])
    expect(state.toList()).toBe(seed.toList())
  })

  test('writes its list once, until it changes', () => {
    const state = new InventoryState(seed)
    state.put(pet)
    const list = state.toList()
    state.put({ ...pet })
    expect(state.toList()).toBe(list)
    state.put({ ...pet, quantity: 78 })
    expect(state.toList()).not.toBe(list)
  })

  test('tells what each change is', () => {
    const told: StateChange[] = []
    const state = new InventoryState(seed, (change) => told.push(change))
    state.put(pet)
    state.remove(toKey(2))
    expect(told).toEqual([
      { type: 'pet', pet },
      { type: 'pet-removed', petId: '2' },
    ])
  })

  test('is replaced by copies of the pets', () => {
    const state = new InventoryState(seed)
    const pets = new PetTable([pet])
    state.replace(pets)
    state.remove(toKey(1))
    expect(pets.get(toKey(1))).toMatchObject({ quantity: 77 })
  })
})

function openSeed(petIds: readonly number[]): Seed {
  const pets = petIds.map((id): Pet => ({ petId: toKey(id), quantity: (id % 3) + 1, status: 'available' }))
  return createSeed('test', new PetTable(pets))
}

function toKey(petId: number): PetKey {
  return String(petId)
}

function readList(state: InventoryState): string {
  return new TextDecoder().decode(state.toList())
}

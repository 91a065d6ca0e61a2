import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { type Pet, type PetKey, toItemJson } from '../../src/inventory/pet.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { InventoryState, type Layer, type StateChange } from '../../src/store/inventory-state.ts'
import { BLOCK_SIZE } from '../../src/store/pet-list.ts'
import { PetTable } from '../../src/store/pet-table.ts'
import { createSeed, type Seed } from '../../src/store/seed.ts'

describe('the list of a state', () => {
  const [short, other] = [openSeed(3 * BLOCK_SIZE + 7), openSeed(20)]
  const petId = fc.integer({ min: 1, max: 1700 })
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('put' as const), petId }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), petId }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('list' as const, 'drop' as const) }) },
    fc.record({ act: fc.constantFrom('reset' as const, 'other' as const, 'snapshot' as const, 'restore' as const) }),
  )

  test('has all pets as they are, whatever was changed before and between', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const state = new InventoryState(short)
        let snapshot: Layer = state.snapshot()
        for (const [turn, each] of steps.entries()) {
          if (each.act === 'put') put(state, each.petId, turn)
          if (each.act === 'remove') state.remove(toKey(each.petId))
          if (each.act === 'list') expect(readList(state)).toBe(writeList(state))
          if (each.act === 'drop') state.dropList()
          if (each.act === 'reset') state.reset()
          if (each.act === 'other') state.reset(other)
          if (each.act === 'snapshot') snapshot = state.snapshot()
          if (each.act === 'restore') state.restore(snapshot)
        }
        expect(readList(state)).toBe(writeList(state))
      }),
    )
  })

  test('shares with the seed what did not change', () => {
    const long = openSeed(20 * BLOCK_SIZE)
    const state = new InventoryState(long)
    put(state, 1, 77)
    const own = state.toList().filter((piece) => !long.list.toPieces().includes(piece))
    expect(own.map((piece) => piece.byteLength < 65_536)).toEqual([true])
  })
})

describe('a state', () => {
  const seed = openSeed(20)
  const pet = { petId: toKey(1), quantity: 77, status: 'sold' } as const

  test('tells of each change', () => {
    const told: StateChange[] = []
    const state = new InventoryState(seed, (change) => told.push(change))
    const snapshot = state.snapshot()
    state.put(pet)
    state.put({ ...pet })
    state.remove(toKey(2))
    state.remove(toKey(2))
    state.reset()
    state.restore(snapshot)
    const seeded = seed.at(0) as Pet
    state.put(pet)
    state.put(seeded)
    expect(state.changes).toBe(0)
    state.putAll([pet, seeded])
    expect(told).toMatchObject([
      { type: 'pet', pet },
      { type: 'pet-removed', petId: '2' },
      { type: 'state' },
      { type: 'state' },
      { type: 'pet', pet },
      { type: 'pet', pet: seeded },
      { type: 'state' },
    ])
  })

  test('weighs 160 bytes for each change, and what is written of its list', () => {
    const state = new InventoryState(seed)
    put(state, 1, 77)
    state.remove(toKey(2))
    put(state, 1000, 1)
    expect(state.weight).toBe(3 * 160)
    state.toList()
    // The changed block and the added pet, and the list that they are joined into.
    const { byteLength } = joinBytes(state.toList())
    expect(state.weight).toBe(3 * 160 + byteLength - 1 + byteLength)
    state.dropList()
    expect(state.weight).toBe(3 * 160)
    state.reset()
    expect(state.weight).toBe(0)
  })

  test('is replaced over its seed, whose pets keep their places, and the others theirs after them', () => {
    const state = new InventoryState(seed)
    put(state, 1, 1)
    put(state, 1001, 1)
    put(state, 1000, 1)
    state.remove(toKey(2))
    const [list, changes] = [readList(state), state.listChanges()]
    const pets = new PetTable()
    for (const pet of state.values()) pets.put(pet)
    state.reset()
    put(state, 3, 77)
    state.replace(pets)
    expect([readList(state), state.listChanges(), state.seed]).toEqual([list, changes, seed])
    state.remove(toKey(1))
    expect(pets.get(toKey(1))).toMatchObject({ quantity: 1 })
  })

  test('lists its changes, and a snapshot stays what it was, also after it was restored', () => {
    const state = new InventoryState(seed)
    put(state, 1, 1)
    put(state, 1000, 1)
    state.remove(toKey(2))
    state.remove(toKey(3))
    put(state, 3, 3)
    const changes = state.listChanges()
    expect(changes).toMatchObject({ removed: ['2', '3'], pets: [{ petId: '1' }, { petId: '1000' }, { petId: '3' }] })
    const snapshot = state.snapshot()
    for (let turn = 0; turn < 2; turn += 1) {
      expect([state.changes, state.size, state.listChanges()]).toEqual([4, 20, changes])
      for (const petId of [1, 1000, 3, 1001]) put(state, petId, 77)
      state.remove(toKey(4))
      expect([state.changes, state.size]).toEqual([6, 20])
      state.restore(snapshot)
    }
    expect(state.listChanges()).toEqual(changes)
  })
})

function openSeed(pets: number): Seed {
  return createSeed('test', parseFixture(JSON.stringify(generateFixture({ pets, randomSeed: 1 })), 'test'))
}

function toKey(petId: number): PetKey {
  return String(petId) as PetKey
}

function put(state: InventoryState, petId: number, quantity: number): void {
  state.put({ petId: toKey(petId), quantity, status: 'available' })
}

function readList(state: InventoryState): string {
  return new TextDecoder().decode(joinBytes(state.toList()))
}

function writeList(state: InventoryState): string {
  return `[${Array.from(state.values(), toItemJson).join(',')}]`
}

import * as v from 'valibot'
import { object, parseWith, safeInteger, whole } from '../http/schema.ts'
import { PET_STATUSES, type PetStatus } from '../inventory/pet.ts'
import type { Fixture, FixtureItem } from './fixture.ts'

/** Returns numbers in [0, 1). The same seed gives the same sequence on every machine. */
export type Random = () => number

/**
 * The mulberry32 generator: 32 bits of state and only integer arithmetic.
 * @param seed An integer. Only its low 32 bits are used.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The options of {@link generateFixture}. */
export interface GenerateOptions {
  /** The number of pets, from 0 to 2,000,000. Their ids start at 1. */
  readonly pets: number
  /**
   * The same seed generates the same pets on every machine.
   * @default 1
   */
  readonly randomSeed?: number
}

export const MOST_PETS = 2_000_000
const LARGEST_QUANTITY = 100

const OPTIONS = object<Required<GenerateOptions>>({
  pets: whole(0, MOST_PETS),
  randomSeed: v.optional(safeInteger, 1),
})

/**
 * Generates a fixture with random pets.
 * @throws {MockError} `INVALID_OPTION` when a number is out of range.
 * @example
 * createMock({ fixture: generateFixture({ pets: 1000 }) })
 */
export function generateFixture(options: GenerateOptions): Fixture {
  const { pets, randomSeed } = parseWith(OPTIONS, options, { failure: 'Failed to generate a fixture' })
  const random = createRandom(randomSeed)
  const inventory = Array.from({ length: pets }, (_, index): FixtureItem => {
    const status = PET_STATUSES[Math.floor(random() * PET_STATUSES.length)] as PetStatus
    const drawn = Math.floor(random() * (LARGEST_QUANTITY + 1))
    return { petId: index + 1, quantity: status === 'sold' ? 0 : drawn, status }
  })
  return { description: `${pets} generated pets, random seed ${randomSeed}`, inventory }
}

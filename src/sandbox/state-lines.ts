import { isSandboxName } from '../auth/sandbox-name.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { isPetStatus } from '../inventory/pet-status.ts'
import { FixtureError } from '../store/fixture.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import { createPetTable, type Pet, type PetRecord, type PetTable, toPetRecord } from '../store/pet-table.ts'
import { createSeed, type Seed } from '../store/seed.ts'
import { STATE_VERSION } from './state-document.ts'

/** A seed while it is read. It stays that of the mock for as long as it has the same pets. */
interface OpenSeed {
  readonly name: string
  count: number
  pets: PetTable | undefined
}

/** A sandbox while it is read. */
interface OpenSandbox {
  readonly seed: Seed
  readonly removed: Set<PetKey>
  readonly changed: PetRecord[]
  readonly added: Pet[]
}

/** The properties of each kind of line; the first one names the kind. */
const KINDS = {
  version: ['version'],
  seed: ['seed'],
  pets: ['pets'],
  sandbox: ['sandbox', 'seed'],
  removed: ['removed'],
  end: ['end'],
} as const

type Kind = keyof typeof KINDS
type Line = Record<string, unknown>

/** What the lines of a state document say, one after the other. */
export class StateLines {
  readonly #mockSeed: Seed
  readonly #origin: string
  readonly #seeds: Seed[] = []
  readonly #states = new Map<string, OpenSandbox>()
  #openSeed: OpenSeed | undefined
  #openSandbox: OpenSandbox | undefined
  #isEnded = false
  /** How many lines were read. */
  count = 0

  constructor(mockSeed: Seed, origin: string) {
    this.#mockSeed = mockSeed
    this.#origin = origin
  }

  read(text: string): void {
    this.count += 1
    if (/^\s*$/.test(text)) return
    const line = this.#parse(text)
    if (this.count === 1) this.#assertVersion(line)
    if (this.#isEnded) this.fail('comes after the end')
    this.#readers[this.#toKind(line)](line)
  }

  /** What was read, by the names of the sandboxes. */
  finish(): Map<string, StateSnapshot> {
    if (this.#isEnded) return this.#states
    throw new FixtureError(this.#origin, [`ends after line ${this.count}, in the middle: the file was cut off`])
  }

  fail(problem: string): never {
    throw new FixtureError(this.#origin, [`line ${this.count}: ${problem}`])
  }

  readonly #readers: Readonly<Record<Kind, (line: Line) => void>> = {
    version: () => this.count > 1 && this.fail('version: belongs into the first line'),
    seed: (line) => this.#readSeed(line),
    pets: ({ pets }) => this.#readPets(this.#toList(pets, 'pets')),
    sandbox: (line) => this.#readSandbox(line),
    removed: ({ removed }) => this.#readRemoved(this.#toList(removed, 'removed')),
    end: (line) => this.#readEnd(line),
  }

  #parse(text: string): Line {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      this.fail(`is not JSON: ${(cause as Error).message}`)
    }
    if (isJsonObject(value)) return value
    this.fail(`must be a JSON object, got ${quote(value)}`)
  }

  #toKind(line: Line): Kind {
    const [kind = '', ...others] = Object.keys(line)
    if (!Object.hasOwn(KINDS, kind)) this.fail(`must begin with ${Object.keys(KINDS).join(', ')}, got ${quote(line)}`)
    const known: readonly string[] = KINDS[kind as Kind]
    const unknown = others.find((name) => !known.includes(name))
    if (unknown !== undefined) this.fail(`${quote(unknown)} is not known beside ${kind}`)
    return kind as Kind
  }

  #assertVersion({ version }: Line): void {
    if (version === STATE_VERSION) return
    throw new FixtureError(this.#origin, [
      `version: must be 1 or ${STATE_VERSION}, got ${quote(version)}; the file is one of a later release`,
    ])
  }

  #readSeed({ seed }: Line): void {
    if (typeof seed !== 'string') this.fail(`seed: must be the name of a fixture, got ${quote(seed)}`)
    this.#close()
    this.#openSeed = { name: seed, count: 0, pets: undefined }
  }

  #readSandbox({ sandbox, seed }: Line): void {
    this.#close()
    if (typeof sandbox !== 'string' || !isSandboxName(sandbox))
      this.fail(`sandbox: must be the name of a sandbox, got ${quote(sandbox)}`)
    if (this.#states.has(sandbox)) this.fail(`sandbox: ${sandbox} was there before`)
    const base = typeof seed === 'number' ? this.#seeds[seed] : undefined
    if (base === undefined) this.fail(`seed: must be the place of a seed from 0 on, got ${quote(seed)}`)
    this.#openSandbox = { seed: base, removed: new Set(), changed: [], added: [] }
    this.#states.set(sandbox, this.#openSandbox)
  }

  #readEnd({ end }: Line): void {
    this.#close()
    if (end !== this.#states.size) this.fail(`end: there are ${this.#states.size} sandboxes, not ${quote(end)}`)
    this.#isEnded = true
  }

  #close(): void {
    this.#openSandbox = undefined
    if (this.#openSeed === undefined) return
    const { name, count, pets } = this.#openSeed
    const isMockSeed = pets === undefined && count === this.#mockSeed.pets.size
    this.#seeds.push(isMockSeed ? this.#mockSeed : createSeed(name, pets ?? copyFirst(this.#mockSeed, count)))
    this.#openSeed = undefined
  }

  #readPets(items: readonly unknown[]): void {
    const [seed, sandbox] = [this.#openSeed, this.#openSandbox]
    for (const [index, item] of items.entries()) {
      const pet = this.#toPet(item, index)
      if (seed !== undefined) this.#addToSeed(seed, pet)
      else if (sandbox !== undefined) addToSandbox(sandbox, pet)
      else this.fail('pets: belong to no seed and no sandbox')
    }
  }

  #addToSeed(seed: OpenSeed, pet: Pet): void {
    if (seed.pets === undefined) {
      const own = this.#mockSeed.at(seed.count)
      const isSame = own?.petId === pet.petId && own.quantity === pet.quantity && own.status === pet.status
      if (!isSame) seed.pets = copyFirst(this.#mockSeed, seed.count)
    }
    seed.count += 1
    if (seed.pets?.has(pet.petId) === true) this.fail(`pets: ${pet.petId} was there before`)
    seed.pets?.put(pet)
  }

  #readRemoved(items: readonly unknown[]): void {
    const sandbox = this.#openSandbox
    if (sandbox === undefined) this.fail('removed: belongs to no sandbox')
    if (sandbox.changed.length + sandbox.added.length > 0) this.fail('removed: must come before pets')
    for (const [index, item] of items.entries()) {
      const key = this.#toKey(item, `removed[${index}]`)
      sandbox.removed.add(
        sandbox.seed.pets.get(key)?.petId ?? this.fail(`removed[${index}]: there is no pet ${key} in the seed`),
      )
    }
  }

  #toList(value: unknown, name: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.fail(`${name}: must be an array, got ${quote(value)}`)
  }

  #toPet(item: unknown, index: number): Pet {
    if (!Array.isArray(item) || item.length !== 3)
      this.fail(`pets[${index}]: must be an array of petId, quantity and status, got ${quote(item)}`)
    const [petId, quantity, status] = item as unknown[]
    const key = this.#toKey(petId, `pets[${index}][0]`)
    if (!Number.isSafeInteger(quantity))
      this.fail(`pets[${index}][1]: must be an integer from -(2^53-1) to 2^53-1, got ${quote(quantity)}`)
    if (!isPetStatus(status)) this.fail(`pets[${index}][2]: must be a status, got ${quote(status)}`)
    return { petId: key, quantity: (quantity as number) + 0, status }
  }

  #toKey(petId: unknown, place: string): PetKey {
    const key = parsePetKey(petId)
    if (key !== undefined) return key
    this.fail(`${place}: must be an int64 in decimal form, as a string beyond ±(2^53−1), got ${quote(petId)}`)
  }
}

function addToSandbox({ seed, removed, changed, added }: OpenSandbox, pet: Pet): void {
  const own = removed.has(pet.petId) ? undefined : seed.pets.get(pet.petId)
  if (own === undefined) added.push(pet)
  // With the seed's own text of the id, so that it lies in memory once.
  else changed.push(toPetRecord({ ...pet, petId: own.petId }, own.position))
}

function copyFirst(seed: Seed, count: number): PetTable {
  const pets = createPetTable()
  for (let position = 0; position < count; position += 1) pets.put(seed.at(position) as Pet)
  return pets
}

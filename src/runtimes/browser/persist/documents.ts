import { toItemJson } from '../../../inventory/pet.ts'
import { parseFixture } from '../../../store/fixture.ts'
import { createSeed, type Seed } from '../../../store/seed.ts'
import type { DocumentRecord } from './state-database.ts'

/** Converts seeds to stored documents and back. Each conversion is done once. */
export interface Documents {
  /** The document of a seed. Equal lists give equal documents in every tab. */
  describe(seed: Seed): DocumentRecord
  /** @throws {FixtureError} if the list is invalid. */
  open(record: DocumentRecord): Seed
}

/** @param own The mock's own seed, which is returned as the same object. */
export function createDocuments(): Documents {
  const records = new WeakMap<Seed, DocumentRecord>()
  const seeds = new Map<string, WeakRef<Seed>>()
  const know = (seed: Seed, record: DocumentRecord): void => {
    records.set(seed, record)
    seeds.set(record.id, new WeakRef(seed))
  }
  return {
    describe(seed) {
      const known = records.get(seed)
      if (known !== undefined) return known
      const inventory = `[${Array.from(seed.pets.values(), toItemJson).join(',')}]`
      const record = { id: toHash(inventory), name: seed.name, inventory }
      know(seed, record)
      return record
    },
    open(record) {
      const known = seeds.get(record.id)?.deref()
      if (known !== undefined) return known
      const origin = `document ${record.id}`
      const seed = createSeed(record.name, parseFixture(`{"inventory":${record.inventory}}`, origin))
      know(seed, record)
      return seed
    },
  }
}

/** cyrb53, a hash of 53 bits. crypto.subtle would need a secure page. */
function toHash(text: string): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return `${(high >>> 0).toString(16)}${(low >>> 0).toString(16)}-${text.length}`
}

import type { Fixture } from '../store/fixture.ts'

/** Serializes a fixture with one line per pet. Ids beyond ±(2^53−1) become strings, so that no tool rounds them. */
export function toFixtureText({ description, inventory }: Fixture): string {
  const lines = inventory.map(({ petId, quantity, status }) => {
    const id = typeof petId === 'bigint' ? String(petId) : petId
    return `    { "petId": ${JSON.stringify(id)}, "quantity": ${quantity}, "status": ${JSON.stringify(status)} }`
  })
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`
  return `{\n  "description": ${JSON.stringify(description ?? '')},\n  "inventory": ${list}\n}`
}

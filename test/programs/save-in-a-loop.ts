import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock, generateFixture } from '../../src/index.ts'

// Increments three of 100,000 pets and saves each time, until it is killed. Prints the count loaded at the start, and each
// saved count.
const PLACES = [
  ['default', 1],
  ['default', 100_000],
  ['a', 50_000],
] as const

const [path = ''] = process.argv.slice(2)
const mock = createMock({ fixture: generateFixture({ pets: 100_000 }) })
const file = await openStateFile(path)
const loaded = await file.load(mock)
const found = PLACES.map(([sandbox, petId]) => mock.sandbox(sandbox).inventory.get(petId)?.quantity)
process.stdout.write(`${JSON.stringify({ found: loaded === undefined ? [0, 0, 0] : found })}\n`)
for (let count = loaded === undefined ? 1 : (found[0] ?? 0) + 1; ; count += 1) {
  for (const [sandbox, petId] of PLACES) mock.sandbox(sandbox).inventory.set(petId, { quantity: count })
  await file.save()
  process.stdout.write(`${JSON.stringify({ saved: count })}\n`)
}

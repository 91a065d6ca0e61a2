// Times one step of the way of a state into a file and back, in a process of its own, and prints it with its memory.
// Its arguments: the step, the file, and how many sandboxes change how many of how many pets.
import { openStateFile } from '../../../src/cli/serve/state-file.ts'
import { createMock, generateFixture } from '../../../src/index.ts'

export type StateStep = 'stringify' | 'save' | 'load'

/** What a step took. */
export interface StateFigures {
  readonly ms: number
  /** Resident memory before it, in MB. */
  readonly before: number
  /** After it, in MB. After a load every sandbox is looked at first, and what is no longer needed is collected. */
  readonly after: number
}

const [step = '', path = '', ...counts] = process.argv.slice(2)
const [sandboxes = 0, changes = 0, pets = 0] = counts.map(Number)
const BYTES_PER_MB = 1024 * 1024

const fixture = generateFixture({ pets })
const mock = createMock({ fixture })
const names = Array.from({ length: sandboxes }, (_, index) => `test-${index}`)

const STEPS: Readonly<Record<StateStep, () => Promise<StateFigures>>> = {
  /** The same as objects, in one text: the pets once, and what changed in each sandbox. */
  stringify() {
    changeAll()
    const changed = names.map(() =>
      fixture.inventory.slice(0, changes).map(({ petId, status }) => ({ petId, quantity: -1, status })),
    )
    return time(() => void JSON.stringify([fixture.inventory, changed]))
  },
  async save() {
    changeAll()
    const file = await openStateFile(path)
    await file.load(mock)
    const figures = await time(() => file.save())
    await file.close()
    return figures
  },
  async load() {
    const file = await openStateFile(path)
    const figures = await time(() => file.load(mock))
    await file.close()
    const isRight = names.every((name) => mock.sandbox(name).inventory.get(changes)?.quantity === -changes)
    if (!isRight) throw new Error('The load lost changes of the state.')
    globalThis.gc?.()
    return { ...figures, after: readMemory() }
  },
}

console.log(JSON.stringify(await STEPS[step as StateStep]()))

function changeAll(): void {
  for (const name of names) {
    const { inventory } = mock.sandbox(name)
    for (let petId = 1; petId <= changes; petId += 1) inventory.set(petId, { quantity: -petId })
  }
}

async function time(work: () => unknown): Promise<StateFigures> {
  globalThis.gc?.()
  const before = readMemory()
  const start = performance.now()
  await work()
  return { before, ms: performance.now() - start, after: readMemory() }
}

function readMemory(): number {
  return process.memoryUsage().rss / BYTES_PER_MB
}

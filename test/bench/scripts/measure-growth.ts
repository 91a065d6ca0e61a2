// Makes ten thousand sandboxes of the mock over a thousand pets, with a change in each, or as many databases of @mswjs/data
// with a pet in each. Prints what each adds to the heap and takes. The process needs --expose-gc.
const [url = ''] = process.argv.slice(2)
const COUNT = 10_000
const PETS = 1000

const module: unknown = await import(url)
const { make, isRight } = url.includes('mswjs') ? fillDatabases(module as never) : fillSandboxes(module as never)

// One has been made before.
make(0)
const before = readHeap()
const start = performance.now()
for (let turn = 1; turn <= COUNT; turn += 1) make(turn)
const time = performance.now() - start
const bytes = readHeap() - before
if (!(await isRight())) throw new Error('There is not what should have been made.')
console.log(JSON.stringify({ kilobytes: bytes / 1024 / COUNT, microseconds: (time * 1000) / COUNT }))

function fillSandboxes({ createMock, generateFixture }: typeof import('../../../src/index.ts')) {
  const mock = createMock({ fixture: generateFixture({ pets: PETS }), maxSandboxes: COUNT + 1 })
  return {
    make: (turn: number) => void mock.sandbox(`test-${turn}`).inventory.set(1 + (turn % PETS), { quantity: 1000 }),
    async isRight() {
      const { sandboxes } = (await (await mock.fetch('/_mock/health')).json()) as { sandboxes: number }
      const changed = mock
        .sandbox('test-1')
        .inventory.list()
        .filter(({ quantity }) => quantity === 1000)
      return sandboxes === COUNT + 1 && changed.length === 1
    },
  }
}

function fillDatabases({ factory, primaryKey }: typeof import('@mswjs/data')) {
  const databases: { pet: { count(): number } }[] = []
  return {
    make(turn: number) {
      const database = factory({ pet: { petId: primaryKey(String), quantity: Number, status: String } })
      database.pet.create({ petId: String(1 + turn), quantity: 1000, status: 'available' })
      databases.push(database)
    },
    isRight: async () => databases.every(({ pet }) => pet.count() === 1),
  }
}

function readHeap(): number {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

// Makes so many sandboxes over so many pets, changes a pet in each, and prints what each cost.
import { measureGrowth } from './measure-growth.ts'

const [url = '', sandboxes = '0', pets = '0'] = process.argv.slice(2)
const { createMock, generateFixture } = (await import(url)) as typeof import('../../../src/index.ts')
const fixture = generateFixture({ pets: Number(pets) })
const mock = createMock({ fixture, maxSandboxes: Number(sandboxes) + 1 })

const growth = measureGrowth(Number(sandboxes), (turn) => {
  const sandbox = mock.sandbox(`test-${turn}`)
  sandbox.inventory.set(1 + (turn % Number(pets)), { quantity: 1000 })
})
const { sandboxes: count } = (await (await mock.fetch('/_mock/health')).json()) as { sandboxes: number }
const last = mock.sandbox(`test-${sandboxes}`).inventory
const isApart = last.list().filter(({ quantity }) => quantity === 1000).length === 1
console.log(JSON.stringify({ ...growth, isRight: isApart && count === Number(sandboxes) + 1 }))

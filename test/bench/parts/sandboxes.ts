import { pathToFileURL } from 'node:url'
import type { BenchContext } from '../context.ts'
import { compileScript } from '../processes.ts'
import { resolveFromRoot } from '../root.ts'
import { type Aim, compareRow, type Row, toStayBelow } from '../rows.ts'
import type { Growth } from '../scripts/measure-growth.ts'

const SANDBOXES = 10_000
const PETS = 1000

/** What each of many sandboxes costs, beyond the first; against databases of the library alone. */
export async function measureSandboxes(context: BenchContext): Promise<Row[]> {
  const measureOurs = await prepare(context, 'fill-sandboxes', 'petstore-mock')
  const measureLibrary = await prepare(context, 'fill-databases', '@mswjs/data')
  const ours: Growth[] = []
  const against: Growth[] = []
  for (let round = 0; round < context.rounds; round += 1) {
    ours.push(await measureOurs())
    against.push(await measureLibrary())
  }
  const toRow = (key: keyof Growth, title: { what: string; unit: string; aim: Aim }): Row => {
    const pairs = { ours: ours.map((each) => each[key]), against: against.map((each) => each[key]) }
    return compareRow({ ...title, id: 11, against: '@mswjs/data alone' }, pairs)
  }
  const what = 'each of 10,000 sandboxes, 1 change over 1,000 pets'
  return [
    toRow('kilobytes', { what: `${what}, heap`, unit: 'KB', aim: toStayBelow(5, { unit: 'KB', where: 2 }) }),
    toRow('microseconds', { what: `${what}, time`, unit: 'µs', aim: toStayBelow(80, { unit: 'µs', where: 44 }) }),
  ]
}

/** Makes what runs a script in a fresh process. */
async function prepare({ processes, folder }: BenchContext, name: string, specifier: string) {
  const script = await compileScript(new URL(`../scripts/${name}.ts`, import.meta.url), folder)
  const url = pathToFileURL(resolveFromRoot(specifier)).href
  const args = ['--expose-gc', script, url, String(SANDBOXES), String(PETS)]
  return async (): Promise<Growth> => {
    const { isRight, ...growth } = JSON.parse(await processes.run(process.execPath, args)) as Growth & {
      isRight: boolean
    }
    if (isRight) return growth
    throw new Error(`Failed to measure: ${name} did not make what it should.`)
  }
}

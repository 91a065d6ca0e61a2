import { withDemoData } from '../../src/cli/commands/demo.ts'
import type { DemoData } from '../../src/runtimes/shared/demo-data.ts'
import { readBuilt } from './serve-folder.ts'

const built = await readBuilt()

/** A fixture with this stock of pet 1. */
export const pets = (quantity: number): string =>
  `{"inventory":[{"petId":1,"quantity":${quantity},"status":"available"}]}`

/** The files of the demo with 40 of pet 1. */
export function build(data: Partial<DemoData> = {}): ReadonlyMap<string, string> {
  const fixtures = { 'pets.json': pets(40) }
  return withDemoData(built, { id: 'first', apiKey: 'shop-key', fixtures, ...data }) as ReadonlyMap<string, string>
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { createMock } from '../../src/index.ts'

/** root may write everywhere. */
export const IS_ROOT: boolean = process.getuid?.() === 0

/** A folder for one test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  // A browser may still write into it.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** A folder for the tests of a file. */
export async function makeSharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}

/** The same, with a function that writes a file into it and resolves with its path. */
export async function makeFiles() {
  const folder = await makeSharedFolder()
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, content)
    return file
  }
  return { folder, write }
}

/** The stock of a pet in a state file, as the next run restores it. */
export async function readQuantity(file: string, petId = 1): Promise<number | undefined> {
  const mock = createMock()
  mock.importState(await readFile(file, 'utf8'))
  return mock.inventory.get(petId)?.quantity
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { DemoData } from '../../runtimes/shared/demo-data.ts'
import { createMock } from '../../service/create-mock.ts'
import type { Command } from '../command.ts'
import { count } from '../count.ts'
import { hasDemoData, toHash, withDemoData } from '../demo-site.ts'
import { toFixtureText } from '../fixture-text.ts'
import { type Io, UsageError } from '../io.ts'
import { parseOnce } from '../parse-flag.ts'
import { readFixture } from '../read-fixture.ts'
import { API_KEY_FLAG, FIXTURE_FLAG, FORCE_FLAG } from '../shared-flags.ts'
import { toFileReason } from '../to-file-reason.ts'

interface DemoBuildFlags {
  readonly output: string
  readonly fixture: string
  readonly title: string | undefined
  readonly apiKey: string
  readonly force: boolean
}

/** `petstore-mock demo build`: the demo as static files over one's own data. */
export const demoBuild: Command<DemoBuildFlags> = {
  summary: 'write the demo with your own data as static files',
  options: {
    output: {
      alias: 'o',
      demandOption: true,
      requiresArg: true,
      coerce: parseOnce('output'),
      describe: 'folder to write',
    },
    fixture: FIXTURE_FLAG,
    title: { requiresArg: true, coerce: parseOnce('title'), describe: 'title of the page instead of Stockroom' },
    'api-key': { ...API_KEY_FLAG, describe: 'the valid API key, which every visitor can see' },
    force: { ...FORCE_FLAG, describe: 'write into a folder that has other files' },
  },
  examples: [['demo build -o site --fixture pets.yaml --title "Our shop"', 'host the folder on any https server']],
  async run(flags, io) {
    const { output, force } = flags
    const built = await readBuiltDemo()
    if (!force) await assertOwnFolder(output, built)
    const { data, pets } = await toData(flags, io)
    await writeFolder(output, withDemoData(built, data))
    io.out(`Wrote the demo with ${count(pets, 'pet')} into ${resolve(output)}`)
    io.out('Any web server can host the folder. Its service worker needs https, except on localhost.')
    return 0
  },
}

async function toData(
  { fixture, title, apiKey }: Omit<DemoBuildFlags, 'output' | 'force'>,
  io: Io,
): Promise<{ data: DemoData; pets: number }> {
  const { name, content } = await readFixture(fixture, io.err)
  const { inventory } = createMock({ fixture: content, fixtureName: name, apiKeys: [apiKey] })
  const pets = inventory.list()
  const text = toFixtureText({ inventory: pets })
  return { data: { id: toHash(text), title, apiKey, name: basename(name), fixture: text }, pets: pets.length }
}

/** @throws {UsageError} if the folder has files, and not those of an earlier build. */
async function assertOwnFolder(folder: string, built: ReadonlyMap<string, unknown>): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw new UsageError(`--output: ${folder} cannot be written (${toFileReason(error)}).`, { cause: error })
  })
  if (names.length === 0) return
  const page = names.includes('index.html') ? await readFile(join(folder, 'index.html'), 'utf8') : ''
  if (hasDemoData(page)) return
  const replaced = names.filter((name) => built.has(name))
  const result = replaced.length === 0 ? 'adds the demo to them' : `replaces ${replaced.join(' and ')}`
  throw new UsageError(`--output: ${folder} has other files. Choose another folder, or pass --force, which ${result}.`)
}

async function readBuiltDemo(): Promise<Map<string, Uint8Array>> {
  const folder = new URL('dist/demo/', import.meta.resolve('petstore-mock/package.json'))
  const names = await readdir(folder).catch((): string[] => [])
  if (!names.includes('index.html'))
    throw new UsageError('the demo is not built. In a checkout, run npm run build:demo.')
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const)))
}

async function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array | string>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, content] of files) await writeFile(join(folder, name), content)
  } catch (cause) {
    throw new UsageError(`--output: ${folder} cannot be written (${toFileReason(cause)}).`, { cause })
  }
}

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import * as v from 'valibot'
import { VERSION } from '../../contract/version.ts'
import type { Bytes } from '../../http/bytes.ts'
import { cut } from '../../http/quote.ts'
import { must, object, type Schema, string } from '../../http/schema.ts'
import { DEMO_DATA_ID, type DemoData, type DemoName, type DemoNames } from '../../runtimes/shared/demo-data.ts'
import { createMock } from '../../service/create-mock.ts'
import { type Command, openPage, UsageError } from '../command.ts'
import { loadFile, readFixture, toFileError, toFixtureText } from '../files.ts'
import type { Flags } from '../options.ts'

type SiteFiles = ReadonlyMap<string, Bytes | string>

export const demo: Command<Flags<'demo'>> = {
  summary: 'serve the offline demo: a shop, and the console, with a mock in their service worker',
  examples: [['demo --open', 'serve the demo on port 4101 and open it']],
  async run({ port, host, open, ...flags }, io) {
    const { answerFiles } = await import('../../runtimes/server/page-files.ts')
    const { serveRequests } = await import('../../runtimes/server/serve-requests.ts')
    const files = withDemoData(await readBuiltDemo(), await readData(flags))
    const server = await serveRequests(answerFiles(files), { port, host, control: false })
    const url = `${server.url}/`
    io.out(`petstore-mock ${VERSION} serves the demo at ${url}`)
    io.out('  state    stays in the browser; nothing is sent to this server')
    io.out('  offline  once opened, the demo works without this server')
    if (open) await openPage(url, io)
    if (!io.stop.aborted) await once(io.stop, 'abort')
    await server.close()
    return 0
  },
}

export const demoBuild: Command<Flags<'demo build'>> = {
  summary: 'write the demo with your own data as static files',
  examples: [
    ['demo build -o site -f pets.yaml --names names.json --title "Our shop"', 'host the folder on any https server'],
  ],
  async run({ output, force, ...flags }, io) {
    const built = await readBuiltDemo()
    if (!force) await assertOwnFolder(output)
    const data = await readData(flags)
    try {
      await mkdir(output, { recursive: true })
      for (const [name, content] of withDemoData(built, data)) await writeFile(join(output, name), content)
    } catch (cause) {
      throw toFileError(`--output: ${output}`, 'written', cause)
    }
    io.out(`Wrote the demo with ${Object.keys(data.fixtures).join(', ')} into ${resolve(output)}`)
    io.out('Any web server can host the folder. Its service worker needs https, except on localhost.')
    return 0
  },
}

const NAME: Schema<DemoName> = object({ name: string, price: v.optional(string) })

/** A file of names. `names.schema.json` is generated from it. @internal */
export const NAMES_FILE: Schema<DemoNames & { readonly $schema?: string | undefined }> = v.objectWithRest(
  { $schema: v.optional(string) },
  NAME,
  must('an object: { "1": { "name": "Goldfish", "price": "$4" } }'),
)

async function readData(flags: Pick<Flags<'demo'>, 'fixture' | 'names' | 'title' | 'apiKey'>): Promise<DemoData> {
  const { fixture, names: path, title, apiKey } = flags
  const fixtures: Record<string, string> = {}
  const known = new Set<string>()
  for (const file of fixture) {
    const name = basename(file)
    if (Object.hasOwn(fixtures, name))
      throw new UsageError(`--fixture: two of them are named ${name}. Rename one of the files.`)
    const { inventory } = createMock({ fixtures: { [file]: await readFixture(file) }, apiKeys: [apiKey] })
    const pets = inventory.list()
    fixtures[name] = toFixtureText({ inventory: pets })
    for (const { petId } of pets) known.add(String(petId))
  }
  const data = { id: toHash(JSON.stringify(fixtures)), title, apiKey, fixtures }
  if (path === undefined) return data
  const { $schema: _, ...names } = await loadFile('--names', path, NAMES_FILE)
  const unknown = Object.keys(names).find((petId) => !known.has(petId))
  if (unknown !== undefined)
    throw new UsageError(`--names: ${path}: no pet ${cut(unknown)} is in ${Object.keys(fixtures).join(', ')}.`)
  return { ...data, names }
}

/** Puts data into the files of the demo. Browsers that have the demo with other data then load it again. */
export function withDemoData(files: SiteFiles, data: DemoData): SiteFiles {
  const toText = (name: string): string => Buffer.from(files.get(name) ?? '').toString()
  const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  // In a script, `<` could begin its end tag or a comment.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const page = toText('index.html')
    .replace(/(?<=<title>)[^<]*/, (title) => (data.title === undefined ? title : escapeText(data.title)))
    .replace('</head>', () => `  <script type="application/json" ${DATA_MARK}>${json}</script>\n  </head>`)
  const worker = `self.demoData = '${toHash(json)}';\n${toText('worker.js')}`
  return new Map([...files, ['index.html', page], ['worker.js', worker]])
}

const DATA_MARK = `id="${DEMO_DATA_ID}"`

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** @throws {UsageError} if the folder has files, and not those of an earlier build. */
async function assertOwnFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => '')
  if (names.length === 0 || page.includes(DATA_MARK)) return
  throw new UsageError(`--output: ${folder} has other files. Choose another, or replace its files with --force.`)
}

const NOT_BUILT = 'the demo is not built. In a checkout, run npm run build.'

async function readBuiltDemo(): Promise<SiteFiles> {
  const folder = new URL('dist/demo/', import.meta.resolve('petstore-mock/package.json'))
  const names = await readdir(folder).catch((): string[] => [])
  if (!names.includes('index.html')) throw new UsageError(NOT_BUILT)
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const)))
}

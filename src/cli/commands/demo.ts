import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { VERSION } from '../../contract/version.ts'
import { DEMO_DATA_ID, type DemoData } from '../../runtimes/shared/demo-data.ts'
import { createMock } from '../../service/create-mock.ts'
import { type Command, openPage, UsageError } from '../command.ts'
import { readFixture, toFileError, toFixtureText } from '../files.ts'
import type { Flags } from '../options.ts'

type SiteFiles = ReadonlyMap<string, Uint8Array | string>

export const demo: Command<Flags<'demo'>> = {
  summary: 'serve the offline demo: the console with a mock in its service worker',
  examples: [['demo --open', 'serve the demo on port 4101 and open it']],
  async run({ port, host, open }, io) {
    const { createDemoFiles } = await import('../../runtimes/server/page-files.ts')
    const { serveRequests } = await import('../../runtimes/server/serve-requests.ts')
    const files = await createDemoFiles()
    if (files === undefined) throw new UsageError(NOT_BUILT)
    const server = await serveRequests(files, { port, host, control: false })
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
  examples: [['demo build -o site -f pets.yaml -f sold-out --title "Our shop"', 'host the folder on any https server']],
  async run({ output, fixture, title, apiKey, force }, io) {
    const built = await readBuiltDemo()
    if (!force) await assertOwnFolder(output)
    const fixtures: Record<string, string> = {}
    for (const path of fixture) {
      const name = basename(path)
      if (Object.hasOwn(fixtures, name))
        throw new UsageError(`--fixture: two of them are named ${name}. Rename one of the files.`)
      const { inventory } = createMock({ fixtures: { [path]: await readFixture(path) }, apiKeys: [apiKey] })
      fixtures[name] = toFixtureText({ inventory: inventory.list() })
    }
    const files = withDemoData(built, { id: toHash(JSON.stringify(fixtures)), title, apiKey, fixtures })
    try {
      await mkdir(output, { recursive: true })
      for (const [name, content] of files) await writeFile(join(output, name), content)
    } catch (cause) {
      throw toFileError(`--output: ${output}`, 'written', cause)
    }
    io.out(`Wrote the demo with ${Object.keys(fixtures).join(', ')} into ${resolve(output)}`)
    io.out('Any web server can host the folder. Its service worker needs https, except on localhost.')
    return 0
  },
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

async function readBuiltDemo(): Promise<Map<string, Uint8Array>> {
  const folder = new URL('dist/demo/', import.meta.resolve('petstore-mock/package.json'))
  const names = await readdir(folder).catch((): string[] => [])
  if (!names.includes('index.html')) throw new UsageError(NOT_BUILT)
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const)))
}

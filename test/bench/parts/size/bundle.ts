import { gzipSync } from 'node:zlib'
import { build, type OutputChunk } from 'rolldown'
import { toStayBelow } from '../../aim.ts'
import { resolveFromRoot } from '../../root.ts'
import { countRow, type Row } from '../../row.ts'

const ENTRY = 'page'
/** msw, and the part of it that is a package of its own. */
const MSW = /^(msw|@mswjs\/interceptors)(\/|$)/

/** The page's entry with the service's code, minified and gzipped, without msw: all of it, also what is loaded later. */
export async function measureBundle(): Promise<Row[]> {
  const name = 'petstore-inventory-mock'
  const page = ['', '/browser'].map((path) => `export * from ${JSON.stringify(resolveFromRoot(name + path))}`)
  const { output } = await build({
    input: ENTRY,
    external: MSW,
    platform: 'browser',
    logLevel: 'silent',
    write: false,
    output: { minify: true },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? page.join('\n') : null),
      },
    ],
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  return [
    toRow('browser entry with the service, minified, gzipped', chunks),
    toRow(
      'of it all but the text of the specification',
      chunks.filter(({ name: chunk }) => !chunk.startsWith('document')),
    ),
  ]
}

function toRow(what: string, chunks: readonly OutputChunk[]): Row {
  const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0)
  return countRow({ id: 13, what, unit: 'KB', aim: toStayBelow(20, { unit: 'KB' }) }, bytes / 1024)
}

import { gzipSync } from 'node:zlib'
import { build, type OutputChunk } from 'rolldown'

/** What a page loads of this package, minified and gzipped, in bytes. msw is not counted, nor its interceptors. */
export interface PageSizes {
  /** With the page, which is `startWorker(createMock())`. */
  readonly atOnce: number
  /** When the worker starts. */
  readonly atStart: number
  /** When it is first used: `persist`, `mode: 'page'`, the control API, the texts of the specifications. */
  readonly onDemand: number
}

const ENTRY = 'page'
const MSW = /^(msw|@mswjs\/interceptors)(\/|$)/

/** @param files The built files behind the package's entries `.` and `./browser`. */
export async function bundlePage(files: { readonly index: string; readonly browser: string }): Promise<PageSizes> {
  const page = `
    import { createMock } from ${JSON.stringify(files.index)}
    import { startWorker } from ${JSON.stringify(files.browser)}
    void startWorker(createMock())`
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
        load: (id) => (id === ENTRY ? page : null),
      },
    ],
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  const atOnce = withImports(chunks, (chunk) => chunk.isEntry)
  const atStart = withImports(chunks, ({ name }) => name.startsWith('answer-in-worker'))
  // No page loads the mutants: it has no environment that names one.
  const pageChunks = chunks.filter(({ name }) => !name.startsWith('apply-mutant'))
  const sizes = pageChunks.map((chunk) => ({ chunk, bytes: gzipSync(chunk.code, { level: 9 }).byteLength }))
  const sum = (isCounted: (chunk: OutputChunk) => boolean): number =>
    sizes.reduce((total, { chunk, bytes }) => (isCounted(chunk) ? total + bytes : total), 0)
  return {
    atOnce: sum((chunk) => atOnce.has(chunk)),
    atStart: sum((chunk) => atStart.has(chunk) && !atOnce.has(chunk)),
    onDemand: sum((chunk) => !atStart.has(chunk) && !atOnce.has(chunk)),
  }
}

/** The chunks that are wanted, with all that they import at once. */
function withImports(chunks: readonly OutputChunk[], isWanted: (chunk: OutputChunk) => boolean): Set<OutputChunk> {
  const reached = new Set(chunks.filter(isWanted))
  if (reached.size === 0) throw new Error('Failed to find a chunk of the page. Has its name changed?')
  for (const { imports } of reached) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk)
  }
  return reached
}

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type OutputChunk } from 'rolldown'

/**
 * Bundles the script of a page, minified.
 * @param root The checkout whose built package and other packages it imports.
 */
export async function bundlePage(
  script: string,
  { root, external }: { root: string; external?: RegExp },
): Promise<OutputChunk[]> {
  const input = join(root, 'page.js')
  const { output } = await build({
    input,
    cwd: root,
    platform: 'browser',
    logLevel: 'silent',
    write: false,
    output: { minify: true },
    plugins: [
      { name: 'page', resolveId: (id) => (id === input ? id : null), load: (id) => (id === input ? script : null) },
    ],
    ...(external !== undefined && { external }),
  })
  return output.filter((file) => file.type === 'chunk')
}

/** The chunks that are wanted, with all that they import at once. */
export function withImports(
  chunks: readonly OutputChunk[],
  isWanted: (chunk: OutputChunk) => boolean,
): Set<OutputChunk> {
  const reached = new Set(chunks.filter(isWanted))
  if (reached.size === 0) throw new Error('Failed to find a chunk of the page. Has its name changed?')
  for (const { imports } of reached) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk)
  }
  return reached
}

/** The gzipped size, in bytes. */
export function toSize(chunks: Iterable<OutputChunk>): number {
  return Array.from(chunks, ({ code }) => gzipSync(code, { level: 9 }).byteLength).reduce((sum, size) => sum + size, 0)
}

import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles a module with the mock for a page, which would load a hundred modules otherwise: the scripts by their names. */
export async function bundlePage(module: URL): Promise<ReadonlyMap<string, string>> {
  const bundle = await rolldown({
    input: fileURLToPath(module),
    platform: 'browser',
    resolve: { mainFields: ['module', 'main'] },
    // As Vite would: WebKit has no `await using` yet.
    transform: { target: 'es2024' },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code] as const] : [])))
}

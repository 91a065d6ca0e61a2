import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** Compiles a script, so that its process does not pay for the removal of its types; gives the file. */
export async function compileScript(script: URL, folder: string): Promise<string> {
  const file = join(folder, `${basename(fileURLToPath(script), '.ts')}.mjs`)
  const output = { file, codeSplitting: false }
  await build({
    input: fileURLToPath(script),
    external: /^(node:|vitest)/,
    platform: 'node',
    logLevel: 'silent',
    output,
  })
  return file
}

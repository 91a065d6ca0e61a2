// @ts-check
// Implements `npm start`: runs the program from source, with only what `npm ci` installs. Plain JavaScript, so that a Node
// too old for the program can run this file and find a newer Node.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build.js'
import { findNode, OLDEST } from './find-node.js'
import { runProgram } from './run-program.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)

if (!existsSync(join(ROOT, 'node_modules'))) {
  console.error('The packages are not installed. Run: npm ci')
  process.exit(1)
}
const node = findNode(OLDEST.start)
if (node === process.execPath && process.features.typescript) {
  buildConsole(ROOT)
  process.argv.splice(1, Infinity, join(ROOT, 'src/cli/bin.ts'), ...args)
  await import('../src/cli/bin.ts')
} else {
  // Node 22 before 22.18 runs TypeScript only with a flag.
  const flags = node === process.execPath ? ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'] : []
  await runProgram(node, [...flags, fileURLToPath(import.meta.url), ...args])
}

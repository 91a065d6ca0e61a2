// @ts-check
// Says what is missing where `npm ci` did not run, or not whole. Plain JavaScript, so that an old Node can run it.
import { existsSync } from 'node:fs'

const problem = findProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

function findProblem() {
  if (!existsSync(new URL('../node_modules', import.meta.url))) return 'The packages are not installed. Run: npm ci'
  // The package `node` puts Node 24 first on the PATH of npm's scripts, unless install scripts are off.
  if (process.features.typescript) return undefined
  return `This needs Node 22.18 or newer, and this is Node ${process.versions.node}. Run: npm rebuild node --ignore-scripts=false`
}

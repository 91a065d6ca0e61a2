// @ts-check
// Runs a development tool (`vitest`, `tsc`, one of our scripts, …) on a Node that is new enough, with the packages
// installed.
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, OLDEST } from './find-node.js'
import { runNpm } from './run-npm.js'
import { runProgram } from './run-program.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const [tool = '', ...args] = process.argv.slice(2)

const node = findNode(OLDEST.development)
// .npmrc omits them: `npm ci && npm start` takes 7 s and 77 MB instead of 32 s and 505 MB.
if (!existsSync(join(ROOT, 'node_modules/vitest'))) {
  console.error('Installing the development packages…')
  const { status } = runNpm(node, ['ci', '--include=dev'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
process.env['PATH'] = [join(ROOT, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(delimiter)
// npm sets it to production for scripts because .npmrc omits dev (https://docs.npmjs.com/cli/v11/using-npm/config#omit).
delete process.env['NODE_ENV']
if (tool.endsWith('.ts')) await runProgram(node, [tool, ...args])
else await runProgram(tool, args, { shell: process.platform === 'win32' })

// @ts-check
// Runs a development tool (`vitest`, `tsc`, one of our scripts, …) on a Node that is new enough, with the packages
// installed.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
if (!isWritable(tmpdir())) process.env['TMPDIR'] = createTemporary()
if (tool.endsWith('.ts')) await runProgram(node, [tool, ...args])
else await runProgram(tool, args, { shell: process.platform === 'win32' })

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A folder for temporary files of tools and tests, if the system's folder is not writable. */
function createTemporary() {
  const folder = join(ROOT, 'node_modules/.tmp')
  mkdirSync(folder, { recursive: true })
  return folder
}

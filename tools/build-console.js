// @ts-check
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'src/console'
const BUILT = 'dist/console/index.html'

/**
 * Builds the console if its sources are newer than the build. A failed build is reported, but the mock still starts.
 * @param {string} root
 */
export function buildConsole(root) {
  if (isBuilt(root)) return
  const script = join(root, 'node_modules/rolldown/bin/cli.mjs')
  const args = [script, '-c', '--environment', 'ONLY:console', '--log-level', 'warn']
  const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) console.error(`The console was not built and is not served: ${toReason(stderr)}`)
}

/** @param {string} root */
function isBuilt(root) {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false })
  if (built === undefined) return false
  const sources = readdirSync(join(root, SOURCES), { recursive: true })
  return sources.every((file) => statSync(join(root, SOURCES, String(file))).mtimeMs <= built.mtimeMs)
}

/** @param {string} text */
function toReason(text) {
  return text.split('\n').find((line) => line.includes('rror')) ?? text
}

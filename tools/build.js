// @ts-check
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What each build is made of. Files and folders beside the sources count for the package alone. */
const CONSOLE = { built: ['dist/console/index.html'], sources: ['src/console'] }
const PACKAGE = {
  built: ['dist/index.js', 'dist/types/index.d.ts'],
  sources: ['src', 'fixtures', 'tools/third-party', 'rolldown.config.ts', 'package-lock.json'],
}

/**
 * Builds the console if its sources are newer than the build. A failed build is reported, but the mock still starts.
 * @param {string} root
 */
export function buildConsole(root) {
  if (isBuilt(root, CONSOLE)) return
  const script = join(root, 'node_modules/rolldown/bin/cli.mjs')
  const args = [script, '-c', '--environment', 'ONLY:console', '--log-level', 'warn']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0)
    console.error(`The console was not built. Served is the last one that was, if any:\n${stderr.trim()}`)
}

/**
 * Builds the package if its sources are newer than `dist`. Errors of types alone are shown and do not stop it.
 * @param {string} root
 * @throws {Error} if it was not built.
 */
export function buildPackage(root) {
  if (isBuilt(root, PACKAGE)) return
  console.error('Building the package, because its sources are newer than dist…')
  spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (!isBuilt(root, PACKAGE)) throw new Error('The package was not built: see above.')
}

/**
 * Compares with the oldest of its files: what was saved during a build may be missing from it.
 * @param {string} root
 * @param {{ readonly built: readonly string[], readonly sources: readonly string[] }} build
 */
function isBuilt(root, { built, sources }) {
  const times = built.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return sources.every((source) => findNewest(join(root, source)) <= Math.min(...times))
}

/**
 * In milliseconds. The time of a folder tells of deleted files.
 * @param {string} path
 */
function findNewest(path) {
  const own = statSync(path)
  if (!own.isDirectory()) return own.mtimeMs
  const files = readdirSync(path, { recursive: true })
  return Math.max(own.mtimeMs, ...files.map((file) => statSync(join(path, String(file))).mtimeMs))
}

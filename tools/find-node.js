// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpm } from './run-npm.js'

/** Has its own lockfile, because most machines do not need it. */
const FOLDER = fileURLToPath(new URL('node', import.meta.url))
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const EXECUTABLE = join(FOLDER, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The minimum versions: the first is `engines` in package.json, the second is what Prism needs. */
export const OLDEST = { start: '22.12.0', development: '24.18.0' }

/**
 * Returns the path of the current Node if it is new enough; otherwise that of the packaged one, which is downloaded on
 * first use. Exits with a message if there is neither.
 * @param {string} oldest
 */
export function findNode(oldest) {
  const { node: version } = process.versions
  if (!isOlder(version, oldest)) return process.execPath
  const problem = fetchNode()
  if (problem === undefined) return EXECUTABLE
  console.error(
    `This needs Node ${oldest} or newer, but this is Node ${version}, and ${problem}. Install it: https://nodejs.org`,
  )
  process.exit(1)
}

/**
 * @param {string} version
 * @param {string} oldest
 */
export function isOlder(version, oldest) {
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0
}

/** Why there is no packaged Node; `undefined` if there is one. */
function fetchNode() {
  const version = readManifest(FOLDER)?.optionalDependencies?.[PACKAGE]
  if (version === undefined) return `npm has none for ${process.platform} on ${process.arch}`
  if (readManifest(join(FOLDER, 'node_modules', PACKAGE))?.version !== version) {
    console.error(`Downloading Node ${version}, because this machine has ${process.versions.node}…`)
    const { status, stderr } = runNpm(process.execPath, ['ci', '--include=optional', '--loglevel=error'], {
      cwd: FOLDER,
      stdio: 'pipe',
    })
    if (status !== 0) return `fetching Node ${version} failed (npm: ${toCode(stderr)})`
  }
  const { status } = spawnSync(EXECUTABLE, ['--version'])
  return status === 0 ? undefined : `the packaged Node ${version} does not run here`
}

/** @param {string} folder */
function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string | null} stderr */
function toCode(stderr) {
  return /npm (?:error|ERR!) code (\S+)/.exec(stderr ?? '')?.[1] ?? 'unknown error'
}

// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpm } from './run-npm.js'

/** Locked apart from the other packages, since most machines do not need it. */
const FOLDER = fileURLToPath(new URL('node', import.meta.url))
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const EXECUTABLE = join(FOLDER, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The oldest versions that will do: `engines` in package.json has the first, Prism asks for the second. */
export const OLDEST = { start: '22.12.0', development: '24.18.0' }

/**
 * The Node of this machine where it is new enough; otherwise the packaged one, which is fetched when it is first needed.
 * Ends the program with one sentence where there is neither.
 * @param {string} oldest
 */
export function findNode(oldest) {
  const { node: version } = process.versions
  if (!isOlder(version, oldest)) return process.execPath
  const problem = fetchNode()
  if (problem === undefined) return EXECUTABLE
  console.error(
    `This needs Node ${oldest} or newer, and this is ${version}; ${problem}. Install it: https://nodejs.org`,
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

/** Why there is no packaged Node; `undefined` where there is one. */
function fetchNode() {
  const version = readManifest(FOLDER)?.optionalDependencies?.[PACKAGE]
  if (version === undefined) return `npm has none for ${process.platform} on ${process.arch}`
  if (readManifest(join(FOLDER, 'node_modules', PACKAGE))?.version !== version) {
    console.error(`Fetching Node ${version}, since this machine has ${process.versions.node} ...`)
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

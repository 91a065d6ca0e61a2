// @ts-check
import { spawnSync } from 'node:child_process'

/**
 * Runs the npm that runs this script, on the given Node.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ readonly cwd: string, readonly stdio: 'inherit' | 'pipe' }} options
 */
export function runNpm(node, args, options) {
  const { npm_execpath: script = '' } = process.env
  const settings = /** @type {const} */ ({ ...options, encoding: 'utf8' })
  if (script.endsWith('npm-cli.js')) return spawnSync(node, [script, ...args], settings)
  return spawnSync('npm', args, { ...settings, shell: process.platform === 'win32' })
}

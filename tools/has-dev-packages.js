// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether `node_modules` matches the lockfile, going by npm's own record of the last install. Optional packages may be
 * missing, because they are for some machines only.
 * @param {string} root
 */
export function hasDevPackages(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    return !path.includes('node_modules/') || optional === true || installed[path]?.version === version
  })
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

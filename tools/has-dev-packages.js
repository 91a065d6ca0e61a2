// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether `node_modules` holds what the lockfile lists, as npm noted it when it installed last. Optional packages are
 * for some machines only.
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

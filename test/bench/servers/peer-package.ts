import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MODULES = new URL('../node_modules/', import.meta.url)
const fromBench = createRequire(new URL('../package.json', import.meta.url))

/** Whether a package of the bench's own is installed. */
export function hasPeer(name: string): boolean {
  return existsSync(new URL(`${name}/package.json`, MODULES))
}

/** A file of a package of the bench's own. */
export function toPeerFile(path: string): string {
  return fileURLToPath(new URL(path, MODULES))
}

export function readPeerVersion(name: string): string {
  return (JSON.parse(readFileSync(new URL(`${name}/package.json`, MODULES), 'utf8')) as { version: string }).version
}

/** Imports a package of the bench's own: the types of what may not be installed are the caller's to know. */
export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(fromBench.resolve(name)).href)) as Module
}

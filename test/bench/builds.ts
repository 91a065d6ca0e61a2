import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A checkout of the repository with its built package. */
export interface Build {
  readonly folder: string
  /** The script of the program. */
  readonly bin: string
  /** The file that a bare specifier means there. The bench has packages of its own, among them another msw. */
  resolve(specifier: string): string
}

export function openBuild(folder: string): Build {
  const root = resolve(folder)
  const { resolve: find } = createRequire(join(root, 'package.json'))
  return { folder: root, bin: join(root, 'dist/bin.js'), resolve: (specifier) => find(specifier) }
}

/** The build of this checkout, or, in a process that measures another one, of that. */
export const BUILD: Build = openBuild(process.env['BENCH_BUILD'] ?? resolve(import.meta.dirname, '../..'))

/** Imports what a bare specifier means at the top of the build. The package's own name gives the built package. */
export async function importFromBuild<Module>(specifier: string): Promise<Module> {
  return (await import(pathToFileURL(BUILD.resolve(specifier)).href)) as Module
}

const MODULES = resolve(import.meta.dirname, 'node_modules')

/** A file of a package that only the bench has. */
export function toPeerFile(path: string): string {
  return join(MODULES, path)
}

export function hasPeer(name: string): boolean {
  return existsSync(toPeerFile(`${name}/package.json`))
}

export function readPeerVersion(name: string): string {
  return (JSON.parse(readFileSync(toPeerFile(`${name}/package.json`), 'utf8')) as { version: string }).version
}

/** Imports a package that only the bench has. Its types are the caller's to know, because it may not be installed. */
export async function importPeer<Module>(name: string): Promise<Module> {
  const file = createRequire(join(import.meta.dirname, 'package.json')).resolve(name)
  return (await import(pathToFileURL(file).href)) as Module
}

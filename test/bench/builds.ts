import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A checkout of the repository with its built package. */
export interface Build {
  readonly folder: string
  /** The script of the program. */
  readonly bin: string
  /** The file that a bare specifier means there. */
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

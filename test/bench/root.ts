import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The folder of the repository. */
export const ROOT = new URL('../../', import.meta.url)

const fromRoot = createRequire(new URL('package.json', ROOT))

/** The file that a bare specifier means at the top of the repository: the bench has packages of its own, among them another msw. */
export function resolveFromRoot(specifier: string): string {
  return fromRoot.resolve(specifier)
}

/** Imports what a bare specifier means at the top of the repository; the package's own name gives the built package. */
export async function importFromRoot<Module>(specifier: string): Promise<Module> {
  return (await import(pathToFileURL(resolveFromRoot(specifier)).href)) as Module
}

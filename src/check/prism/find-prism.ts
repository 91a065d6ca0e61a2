import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { MockError } from '../../http/mock-error.ts'

/** The installed Prism. */
export interface PrismProgram {
  /** The path of the script that Node runs. */
  readonly script: string
  readonly version: string
}

/** Where to look for Prism. */
interface FindPrismOptions {
  /** Resolves the path of `@stoplight/prism-cli/package.json`; throws if there is none. */
  readonly resolve?: (specifier: string) => string
  /** @default process.versions.node */
  readonly nodeVersion?: string
}

interface Manifest {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly engines?: { readonly node?: string }
}

const PACKAGE = '@stoplight/prism-cli'
const INSTALL = `npm install --save-dev ${PACKAGE}`

/**
 * Finds Prism, which users install themselves: it is ten times as large as this package and only checks need it.
 * @throws {MockError} `CHECK_UNAVAILABLE` if it is not installed or needs a newer Node.
 */
export function findPrism({
  resolve = resolveManifest,
  nodeVersion = process.versions.node,
}: FindPrismOptions = {}): PrismProgram {
  const path = tryResolve(resolve)
  const { version, bin, engines } = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const needed = /^>=\s*(\d+(?:\.\d+)*)$/.exec(engines?.node ?? '')?.[1]
  if (needed !== undefined && isOlder(nodeVersion, needed)) {
    throw new MockError(
      'CHECK_UNAVAILABLE',
      `Failed to start Prism: Prism ${version} needs Node ${needed} or newer, and this is Node ${nodeVersion}. Run it with a newer Node, for example one of the project's own: npm install --save-dev node@24 ${PACKAGE}`,
    )
  }
  return { script: join(dirname(path), bin['prism'] ?? ''), version }
}

function tryResolve(resolve: (specifier: string) => string): string {
  try {
    return resolve(`${PACKAGE}/package.json`)
  } catch (cause) {
    throw new MockError('CHECK_UNAVAILABLE', `Failed to start Prism: ${PACKAGE} is not installed. Run: ${INSTALL}`, {
      cause,
    })
  }
}

/** Looks beside this package and in the current project, because `npx` runs a package from another folder. */
function resolveManifest(specifier: string): string {
  try {
    return createRequire(import.meta.url).resolve(specifier)
  } catch {
    return createRequire(join(process.cwd(), 'package.json')).resolve(specifier)
  }
}

function isOlder(version: string, needed: string): boolean {
  return version.localeCompare(needed, 'en', { numeric: true }) < 0
}

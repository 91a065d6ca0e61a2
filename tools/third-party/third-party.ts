import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { type BundledPackage, readPackage, toNotices } from './notices.ts'

/** The packages that one or more builds bundle, by the bundler's own record of what each file contains. */
export interface ThirdParty {
  /** Collects the packages of a build whose notices another build writes. */
  collect(): Plugin
  /** Writes the notices of all packages collected so far. Fails if a package has no licence text. */
  write(): Plugin
}

export function createThirdParty(): ThirdParty {
  const packages = new Map<string, BundledPackage>()

  const collect = (): Plugin => ({
    name: 'collect-third-party',
    async generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = ids.flatMap((id) => findPackages(id, this.getModuleInfo(id)?.code ?? ''))
      for (const folder of new Set(folders)) packages.set(folder, await readPackage(folder))
    },
  })

  const write = (): Plugin => ({
    name: 'write-third-party',
    generateBundle: {
      // After the plugins that build a further file, such as the demo's worker.
      order: 'post',
      handler() {
        const source = toNotices([...packages.values()])
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source })
      },
    },
  })

  return { collect, write }
}

/**
 * The folders of the packages whose code is in a module: the package that the module belongs to, and the packages that it
 * has bundled itself, which bundlers mark with `//#region node_modules/…`.
 */
export function findPackages(id: string, code: string): string[] {
  if (id === '\0rolldown/runtime.js') return [toInstalled('rolldown')]
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0]
  if (folder === undefined) return []
  const regions = code.matchAll(/^\s*\/\/\s?#region (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)
  return [folder, ...Array.from(regions, ([, name = '']) => toInstalled(name))]
}

function toInstalled(name: string): string {
  return fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
}

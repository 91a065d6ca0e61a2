import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { defineConfig, type Plugin } from 'rolldown'

// The published files: one module an entry, and what entries share in chunks. What users install beside us stays
// outside. Of @mswjs/data comes in only what `store/pet-table.ts` uses, without the second msw, GraphQL, date-fns and
// lodash that an installation of it would bring.
export default defineConfig({
  input: {
    index: 'src/index.ts',
    node: 'src/runtimes/node.ts',
    server: 'src/runtimes/server.ts',
    browser: 'src/runtimes/browser.ts',
    client: 'src/client/connect-mock.ts',
    vitest: 'src/testing/vitest.ts',
    playwright: 'src/testing/playwright.ts',
    bin: 'src/cli/bin.ts',
  },
  platform: 'neutral',
  external: [
    /^node:/,
    ...builtinModules,
    /^msw(\/|$)/,
    /^@mswjs\/interceptors(\/|$)/,
    /^@stoplight\//,
    '@playwright/test',
    'vitest',
  ],
  resolve: { mainFields: ['module', 'main'] },
  output: { dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', cleanDir: true },
  plugins: [loadHelpLate(), keepLicences()],
})

/**
 * What yargs writes its help with is half of what it loads, and a server that starts shows no help. A module that is
 * required is run when it is asked for.
 */
function loadHelpLate(): Plugin {
  const late = ['cliui', 'string-width']
  return {
    name: 'load-help-late',
    resolveId(id, importer) {
      return late.includes(id) && /\/yargs\/lib\/platform-shims\//.test(importer ?? '') ? `\0late:${id}` : undefined
    },
    load(id) {
      if (!id.startsWith('\0late:')) return undefined
      const name = JSON.stringify(id.slice('\0late:'.length))
      return {
        code: `module.exports = (given) => { const it = require(${name}); return (it.default ?? it)(given) }`,
        moduleType: 'js',
      }
    },
  }
}

/** Writes the licence of every package that was built in. */
function keepLicences(): Plugin {
  return {
    name: 'keep-licences',
    async generateBundle() {
      const modules = [...this.getModuleIds()]
      const folders = new Set(
        modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
      )
      const texts = await Promise.all([...folders].sort().map(toLicence))
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: texts.join('\n') })
    },
  }
}

async function toLicence(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as Record<
    string,
    string
  >
  const names = ['LICENSE', 'LICENSE.md', 'LICENCE', 'license']
  const texts = await Promise.all(names.map((file) => readFile(`${folder}/${file}`, 'utf8').catch(() => undefined)))
  const text = texts.find((each) => each !== undefined) ?? `Licence: ${license}`
  return `${name} ${version}\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`
}

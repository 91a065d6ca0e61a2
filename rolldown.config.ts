import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown'
import { joinSheets, writeDemo } from './src/demo/build/write-demo.ts'
import { createThirdParty } from './tools/third-party/third-party.ts'

/** The packages in `dist`: those of the library and of the console, which are built one after the other. */
const inPackage = createThirdParty()
const inDemo = createThirdParty()

// The published files: one module per entry, plus shared chunks. Peers and dependencies stay external. @mswjs/data is
// bundled only as far as `store/pet-table.ts` uses it, without the second msw, GraphQL, date-fns and lodash that
// installing it would add.
const library = defineConfig({
  input: {
    index: 'src/index.ts',
    node: 'src/runtimes/node.ts',
    server: 'src/runtimes/server.ts',
    browser: 'src/runtimes/browser.ts',
    'browser-in-node': 'src/runtimes/browser/in-node.ts',
    client: 'src/client/connect-mock.ts',
    msw: 'src/msw/create-handlers.ts',
    matchers: 'src/testing/matchers.ts',
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
    '#panel',
  ],
  resolve: { mainFields: ['module', 'main'] },
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    codeSplitting: {
      groups: [
        // Its own file, because the program loads it before the core, which an old Node cannot run.
        { name: 'explain-old-node', test: /\/explain-old-node\.ts$/ },
        { name: 'core', test: isCore },
        { name: 'yaml', test: /\/node_modules\/yaml\// },
      ],
    },
  },
  plugins: [leaveOut(), loadHelpLate(), inPackage.collect()],
})

// The console: a page of static files with relative URLs, for the server and for other hosts.
const page = defineConfig({
  input: { console: 'src/console/main.ts' },
  platform: 'browser',
  tsconfig: 'src/console/tsconfig.json',
  output: { dir: 'dist', format: 'esm', entryFileNames: 'console/[name].js', minify: true },
  plugins: [writePage('src/console'), inPackage.collect(), inPackage.write()],
})

// The console in a page of the user's own, which the library's `browser` imports as `#panel`.
const panel = defineConfig({
  input: { panel: 'src/console/mount-panel.ts', 'no-panel': 'src/console/no-panel.ts' },
  platform: 'browser',
  tsconfig: 'src/console/tsconfig.json',
  transform: { define: { PANEL_STYLES: JSON.stringify(await joinSheets('src/console')) } },
  output: { dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', minify: true },
  plugins: [inPackage.collect()],
})

// The demo: the console with the mock in its service worker, as static files for any folder of any web server. File names
// contain a content hash, except for the page and the worker, which refer to the others.
const demo = defineConfig({
  input: { demo: 'src/demo/main.tsx' },
  platform: 'browser',
  tsconfig: 'src/demo/tsconfig.json',
  resolve: { mainFields: ['module', 'main'] },
  preserveEntrySignatures: false,
  output: {
    dir: 'dist/demo',
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    minify: true,
    cleanDir: true,
    // msw is a separate file, so that browsers keep it cached when our code changes.
    codeSplitting: {
      groups: [
        {
          name: 'msw',
          test: /node_modules\/(?!(preact|eventsource-parser|@mswjs\/data)\/)/,
          includeDependenciesRecursively: false,
        },
        // All else is one file, but for what the page never requests.
        { name: 'page', test: /\/src\/(?!.*document\.gen)/ },
      ],
    },
  },
  plugins: [
    leaveOut(),
    leaveOutMutants(),
    inDemo.collect(),
    writeDemo('src/demo', { workerPlugins: [inDemo.collect()] }),
    inDemo.write(),
  ],
})

/** Parts that can be built alone. Only the full build writes the licences of bundled packages. */
const parts: Readonly<Record<string, RolldownOptions>> = {
  console: { ...page, plugins: [writePage('src/console')] },
  demo,
}

export default parts[process.env['ONLY'] ?? ''] ?? [library, panel, page, demo]

/**
 * Whether a module belongs to the core that every mock runs. The core is one file, because each further file adds a third
 * of a millisecond to the start. Modules that load on first use or need msw stay separate.
 */
function isCore(id: string): boolean {
  const isOwn =
    /\/src\/(?:(?:contract|http|auth|inventory|store|sandbox|operations|control|service)\/|[a-z-]+\.ts$)/.test(id)
  const isApart = /\/(?:document|control-document)\.gen\.ts$|\/src\/control\/|\/index\.ts$/
  return isOwn && !isApart.test(id)
}

/** Writes the page's own files beside its script. */
function writePage(folder: string): Plugin {
  return {
    name: 'write-page',
    async generateBundle() {
      const emit = (name: string, source: string) =>
        this.emitFile({ type: 'asset', fileName: `console/${name}`, source })
      for (const name of ['index.html', 'icon.svg']) emit(name, await readFile(`${folder}/${name}`, 'utf8'))
      emit('console.css', await joinSheets(folder))
    },
  }
}

/**
 * Dependencies of @mswjs/data that a table of pets never uses. With them, the core of 221 KB would be larger by what the
 * comments say; the events need a polyfill to be built at all.
 */
function leaveOut(): Plugin {
  const instead: Readonly<Record<string, string>> = {
    // 550 KB of date-fns
    '../comparators/date': 'export const dateComparators = {}',
    // 36 KB, for paths into nested records
    'lodash/get': 'export default (record, [name]) => record[name]',
    // 10 KB, for the id of a database, which only the sync between tabs needs
    md5: 'export default () => {}',
    // 3 KB, for mistakes in a record, which `PetRecord` cannot have
    outvariant: 'export const invariant = () => {}',
    // 22 KB
    debug: 'export const debug = () => () => {}',
    'strict-event-emitter': 'export class Emitter { emit() { return false } }',
  }
  return {
    name: 'leave-out',
    resolveId: (id, importer = '') =>
      /\/@mswjs\/data\//.test(importer) && Object.hasOwn(instead, id) ? `\0instead-of:${id}` : undefined,
    load: (id) => instead[id.replace('\0instead-of:', '')],
  }
}

/** A page has no environment that names a mutant, so the demo never imports them. */
function leaveOutMutants(): Plugin {
  return {
    name: 'leave-out-mutants',
    load: (id) => (id.endsWith('/src/mutants/apply-mutant.ts') ? 'export {}' : undefined),
  }
}

/**
 * Defers the modules that render yargs' help, because a starting server shows none: the program starts in 83 ms instead of
 * 106 ms. A `require` runs a module only when it is reached.
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

import { resolve } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import manifest from './package.json' with { type: 'json' }
import { explainNoChromium, findChromium, INSECURE_HOST } from './test/browser/chromium.ts'
import { ENGINES, type EngineName } from './test/browser/engines/engine.ts'
import { engineProvider } from './test/browser/engines/provider.ts'
import { explainNoEngine } from './test/browser/engines/start-engine.ts'
import { runPage } from './test/browser/run-page.ts'
import { serveWorkerScripts } from './test/browser/serve-worker-scripts.ts'

const noChromium = await explainNoChromium()
// A run of some projects, as `npm test` is, needs only the engines that it names.
const named = process.argv.filter((word) => !word.startsWith('-'))
const wanted = process.argv.includes('--project') ? ENGINES.filter((name) => named.includes(name)) : ENGINES
for (const problem of [noChromium, ...wanted.map(explainNoEngine)]) {
  if (problem === undefined) continue
  if (process.env['CI']) throw new Error(problem)
  // Vitest loads this file again for the browsers.
  if (Reflect.has(globalThis, problem)) continue
  Reflect.set(globalThis, problem, true)
  console.warn(`${problem} Until then they are skipped.`)
}
const engines = ENGINES.filter((name) => explainNoEngine(name) === undefined)

// The folder of a test decides its project. What is in none of these folders is `unit`: it needs neither a build, nor a child
// process, nor a browser.
/** Tests that start child processes (the command line, Prism, npm, other test runners), or that read what was built. */
const PROGRAMS = ['test/{check,hostile,memory,package,programs,recipes}/**/*.test.ts']
/** Tests in Node that open pages in Chromium. */
const PAGES = ['test/{console,demo,tabs,testing/playwright}/**/*.test.ts']
/** What takes long and seldom breaks: only `npm run test:all` runs it. */
const LONG = 'test/long/**/*.test.ts'
const LONG_PAGES = 'test/long/pages/**/*.test.ts'
/** Tests that run inside a page. */
const IN_PAGE = ['test/browser/**/*.test.ts']

/** Time limits only stop hangs. A hang should cost a developer little, but Prism and browsers are slow on a busy machine. */
function within(limitMs: number) {
  const limit = process.env['CI'] ? 120_000 : limitMs
  return {
    testTimeout: limit,
    hookTimeout: limit,
    // A wait ends before its test, and says what it waited for.
    expect: { poll: { timeout: limit * 0.8 } },
    provide: { waitMs: limit * 0.8 },
  }
}

const inNode: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/patience.ts'],
  restoreMocks: true,
  // Concurrent tests on one mock must all run at once.
  maxConcurrency: 200,
}

/** These tests use `dist`. */
const ofPackage: TestProjectInlineConfiguration['test'] = { ...inNode, globalSetup: 'test/build-package.ts' }

/** These tests also start programs, for which they mostly wait: hence four workers. */
const withPrograms: TestProjectInlineConfiguration['test'] = {
  ...ofPackage,
  ...within(60_000),
  // Which saves a quarter of the CPU time: each file would load the sources again.
  isolate: false,
  maxWorkers: 4,
}

/** These tests also open pages, in one Chromium. There are four workers, because a test mostly waits for its page. */
const inPages: TestProjectInlineConfiguration['test'] = {
  ...ofPackage,
  ...within(60_000),
  globalSetup: ['test/build-package.ts', 'test/browser/serve-chromium.ts'],
  isolate: false,
  maxWorkers: 4,
}

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: toSources() },
        // No isolation between files, which halves the time. Tests clean up after themselves.
        test: {
          ...inNode,
          ...inTurn(0),
          ...within(10_000),
          isolate: false,
          maxWorkers: 2,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROGRAMS, ...PAGES, ...IN_PAGE, 'test/{long,openapi}/**'],
        },
      },
      { test: { ...withPrograms, ...inTurn(1), name: 'programs', include: PROGRAMS } },
      { test: { ...withPrograms, ...inTurn(3), name: 'long', include: [LONG], exclude: [LONG_PAGES] } },
      ...(noChromium === undefined
        ? [
            { test: { ...inPages, ...inTurn(1), name: 'pages', include: PAGES } },
            { test: { ...inPages, ...inTurn(3), name: 'long-pages', include: [LONG_PAGES] } },
            inBrowsers(['chromium'], { turn: 0, provider: playwright({ launchOptions: await findChromium() }) }),
          ]
        : []),
      ...(engines.length > 0 ? [inBrowsers(engines, { turn: 2, provider: engineProvider })] : []),
    ],
  },
})

/** The tests that run inside a page, in each of these browsers. One provider has one server. */
function inBrowsers(
  browsers: readonly EngineName[],
  { turn, provider }: { turn: number; provider: BrowserProviderOption },
): TestProjectInlineConfiguration {
  return {
    plugins: [serveWorkerScripts()],
    resolve: {
      alias: [{ find: '#panel', replacement: resolve(import.meta.dirname, 'src/console/no-panel.ts') }, ...toSources()],
    },
    cacheDir: `node_modules/.vite/${provider.name}`,
    // A sandboxed page is of no origin.
    server: { allowedHosts: [INSECURE_HOST], cors: true },
    // Lists all dependencies: one that Vite discovers later would reload the page in the middle of a run.
    optimizeDeps: {
      include: [
        '@mswjs/data/lib/db/Database.js',
        '@mswjs/data/lib/glossary.js',
        '@mswjs/data/lib/comparators/number.js',
        '@mswjs/interceptors',
        '@mswjs/interceptors/WebSocket',
        '@mswjs/interceptors/XMLHttpRequest/web',
        '@mswjs/interceptors/fetch/web',
        'axios',
        'openapi-fetch',
      ],
    },
    test: {
      name: provider.name,
      ...inTurn(turn),
      maxWorkers: 2,
      // A page loads a hundred modules, which is slow on a busy machine.
      maxConcurrency: 3,
      ...within(60_000),
      include: IN_PAGE,
      setupFiles: ['test/browser/expect-quiet.ts'],
      restoreMocks: true,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider,
        instances: browsers.map((browser) => ({ browser, name: browser })),
        commands: { runPage },
      },
    },
  }
}

/** The entries of the package by name, as in the examples: from source, so that no build is needed. */
function toSources(): { readonly find: RegExp; readonly replacement: string }[] {
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return []
    const source = target.types.replace('dist/types', 'src').replace('.d.ts', '.ts')
    return [{ find: new RegExp(`^petstore-mock${entry.slice(1)}$`), replacement: resolve(import.meta.dirname, source) }]
  })
}

/** Projects of one turn run beside each other, and must have the same number of workers. The next turn starts after them. */
function inTurn(groupOrder: number): TestProjectInlineConfiguration['test'] {
  return { sequence: { groupOrder } }
}

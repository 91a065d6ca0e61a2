import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { explainNoChromium, findChromium, INSECURE_HOST } from './test/browser/chromium.ts'
import { runPage } from './test/browser/run-page.ts'
import { serveWorkerScripts } from './test/browser/serve-worker-scripts.ts'
import { isOlder, OLDEST } from './tools/find-node.js'

if (isOlder(process.versions.node, OLDEST.development)) {
  throw new Error(
    `The tests need Node ${OLDEST.development}, and this is ${process.versions.node}: node tools/dev.js vitest`,
  )
}

const problem = await explainNoChromium()
if (problem !== undefined) {
  if (process.env['CI']) throw new Error(problem)
  console.warn(`${problem} Until then they are skipped.`)
}

/** Tests that start programs: the command line, Prism, npm, other test runners. */
const PROGRAMS = [
  'test/{check,cli,hostile,package,tools}/**/*.test.ts',
  'test/runtimes/haproxy.test.ts',
  'test/testing/{jest,jsdom-threads}.test.ts',
]
/** Tests in Node that open pages of their own in Chromium. */
const PAGES = ['test/{console,demo,tabs}/**/*.test.ts', 'test/testing/playwright*.test.ts']
/** Tests that run inside a page. */
const IN_PAGE = ['test/browser/**/*.test.ts']

/** Limits only end what hangs: Prism, Chromium and a page take their time on a busy machine. */
const PATIENT: TestProjectInlineConfiguration['test'] = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

const inNode: TestProjectInlineConfiguration['test'] = {
  ...PATIENT,
  setupFiles: ['test/patience.ts'],
  restoreMocks: true,
  // The tests that run beside each other on one mock are to be under way all at once.
  maxConcurrency: 200,
}

export default defineConfig({
  test: {
    projects: [
      {
        // Without a fresh world for each file: they clean up after themselves, and take half the time.
        test: {
          ...inNode,
          isolate: false,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAMS, ...PAGES, ...IN_PAGE, 'test/bench/**'],
        },
      },
      { test: { ...inNode, name: 'programs', include: PROGRAMS } },
      ...(problem === undefined ? await inChromium() : []),
    ],
  },
})

async function inChromium(): Promise<TestProjectInlineConfiguration[]> {
  return [
    { test: { ...inNode, name: 'pages', include: PAGES } },
    {
      plugins: [serveWorkerScripts()],
      server: { allowedHosts: [INSECURE_HOST] },
      // All at the start: a dependency that Vite finds later makes it load the page anew in the middle of a run.
      optimizeDeps: {
        include: [
          '@mswjs/data/lib/db/Database.js',
          '@mswjs/data/lib/glossary.js',
          '@mswjs/interceptors',
          '@mswjs/interceptors/WebSocket',
          '@mswjs/interceptors/XMLHttpRequest/web',
          '@mswjs/interceptors/fetch/web',
          'axios',
          'openapi-fetch',
        ],
      },
      test: {
        name: 'chromium',
        ...PATIENT,
        maxWorkers: 2,
        include: IN_PAGE,
        setupFiles: ['test/browser/expect-quiet.ts'],
        restoreMocks: true,
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          provider: playwright({ launchOptions: await findChromium() }),
          instances: [{ browser: 'chromium' }],
          commands: { runPage },
        },
      },
    },
  ]
}

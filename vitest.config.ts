import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findChromium, INSECURE_HOST } from './test/browser/chromium.ts'
import { runPage } from './test/browser/run-page.ts'
import { serveWorkerScripts } from './test/browser/serve-worker-scripts.ts'
import { isOlder, OLDEST } from './tools/find-node.js'

if (isOlder(process.versions.node, OLDEST.development)) {
  throw new Error(
    `The tests need Node ${OLDEST.development}, and this is ${process.versions.node}: node tools/dev.js vitest`,
  )
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/bench/**'],
          restoreMocks: true,
          testTimeout: 30_000,
          // Prism and Chromium start in hooks, and take their time on a busy machine.
          hookTimeout: 60_000,
          // The tests that run beside each other on one double are to be under way all at once.
          maxConcurrency: 200,
        },
      },
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
          maxWorkers: 2,
          hookTimeout: 60_000,
          include: ['test/browser/**/*.test.ts'],
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
    ],
  },
})

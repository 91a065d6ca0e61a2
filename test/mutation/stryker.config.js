// @ts-check
import { fileURLToPath } from 'node:url'
import { ROOM } from './rooms.js'

const REPORTS = 'test/mutation/reports'

/** https://stryker-mutator.io/docs/stryker-js/configuration */
export default {
  mutate: [`src/${ROOM}/**/*.ts`],
  testRunner: 'in-process',
  plugins: [fileURLToPath(new URL('in-process-runner.ts', import.meta.url))],
  // Stryker would rewrite it with TypeScript's JavaScript API, which TypeScript 7 has not.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'docs', 'test/bench', 'test/apps', 'test/mutation/node_modules', REPORTS],
  concurrency: 2,
  incremental: true,
  incrementalFile: `${REPORTS}/${ROOM}.incremental.json`,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${REPORTS}/${ROOM}.json` },
  htmlReporter: { fileName: `${REPORTS}/${ROOM}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  timeoutMS: 5_000,
  warnings: { slow: false },
}

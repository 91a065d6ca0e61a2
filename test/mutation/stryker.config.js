// @ts-check
import { PART, SOURCES, UNLOADABLE } from './rooms.js'

const REPORTS = 'test/mutation/reports'
const NAME = PART.replaceAll('/', '-')

/** https://stryker-mutator.io/docs/stryker-js/configuration */
export default {
  mutate: [...SOURCES, ...[...UNLOADABLE, 'src/**/*.gen.ts'].map((path) => `!${path}`)],
  testRunner: 'vitest',
  // By its path, because it is not installed at the root.
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // Stryker would rewrite it with TypeScript's JavaScript API, which TypeScript 7 has not.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'docs', 'test/bench', 'test/apps', 'test/mutation/node_modules', REPORTS],
  concurrency: 2,
  incremental: true,
  incrementalFile: `${REPORTS}/${NAME}.incremental.json`,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${REPORTS}/${NAME}.json` },
  htmlReporter: { fileName: `${REPORTS}/${NAME}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  timeoutMS: 5_000,
  warnings: { slow: false },
}

import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import config from '../../vitest.config.ts'
import { TESTS } from './rooms.js'

/** The project `unit`, with the tests of one room, also those that run in another project. */
const [unit] = (config as { test: { projects: TestProjectInlineConfiguration[] } }).test.projects
export default defineConfig({
  ...unit,
  test: {
    ...unit?.test,
    include: TESTS.map((path) => `test/${path}.test.ts`),
    exclude: configDefaults.exclude,
  },
})

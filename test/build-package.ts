import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildPackage } from '../tools/build.js'

const ROOT = resolve(import.meta.dirname, '..')

/** Vitest runs it before the tests of a project that uses `dist`, which must not be older than `src`. */
export default function setup(project: TestProject): void {
  buildPackage(ROOT)
  project.onTestsRerun(() => buildPackage(ROOT))
}

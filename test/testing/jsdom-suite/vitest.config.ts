import { defineConfig } from 'vitest/config'
import { NEIGHBOURS } from './neighbours.ts'

// One thread a file, all at once: they meet in the middle of their tests.
export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.spec.ts'],
    environment: 'jsdom',
    pool: 'threads',
    maxWorkers: NEIGHBOURS.length,
    testTimeout: 60_000,
    cache: false,
  },
})

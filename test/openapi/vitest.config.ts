import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/openapi/*.test.ts'],
    // The tools are slow to load on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

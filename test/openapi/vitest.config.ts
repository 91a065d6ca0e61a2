import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/openapi/*.test.ts'],
    // jest-openapi extends the global `expect`.
    globals: true,
    // CommonJS packages are imported as Node and TypeScript do it.
    deps: { interopDefault: false },
    // The tools are slow to load on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

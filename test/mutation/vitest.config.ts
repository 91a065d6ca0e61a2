import { defineConfig } from 'vitest/config'
import { ROOM, ROOMS } from './rooms.js'

export default defineConfig({
  test: {
    include: ROOMS[ROOM]?.map((path) => `test/${path.replace(/\*\*$/, '**/*')}.test.ts`) ?? [],
    setupFiles: ['test/mutation/setup.ts'],
    isolate: false,
    restoreMocks: true,
    testTimeout: 30_000,
  },
})

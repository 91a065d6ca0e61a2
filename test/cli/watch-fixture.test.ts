import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ServeLog } from '../../src/cli/serve/serve-log.ts'
import { watchFixture } from '../../src/cli/serve/watch-fixture.ts'
import { createMock } from '../../src/index.ts'

test('a change that waits to be read is not read any more when the watch ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'watched.json')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const log = { reloaded: vi.fn(), refused: vi.fn() }
  const watcher = watchFixture(file, { service: createMock(), log: log as unknown as ServeLog })
  await writeFile(file, '{"inventory":[]}')
  // `vi.waitFor` would let the faked time pass.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  watcher.close()
  expect(vi.getTimerCount()).toBe(0)
})

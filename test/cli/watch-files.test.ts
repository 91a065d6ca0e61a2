import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchFile } from '../../src/cli/serve/watch-files.ts'

test('a change that waits to be read is not read any more when the watch ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'watched.json')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const watcher = watchFile(file, { reload: vi.fn(), refused: vi.fn() })
  await writeFile(file, '{"inventory":[]}')
  // `vi.waitFor` would let the faked time pass.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  watcher.close()
  expect(vi.getTimerCount()).toBe(0)
})

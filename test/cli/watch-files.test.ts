import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UsageError } from '../../src/cli/io.ts'
import { createServeLog } from '../../src/cli/serve/serve-log.ts'
import { watchFile } from '../../src/cli/serve/watch-files.ts'

test('a change that waits to be read is not read any more when the watch ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'watched.json')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const watcher = watchFile(file, { reload: vi.fn(), kept: 'state', log: vi.fn() })
  await writeFile(file, '{"inventory":[]}')
  // `vi.waitFor` would let the faked time pass.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  watcher.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a file with the same content is not loaded again, a changed one is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'watched.json')
  await writeFile(file, 'one')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reload = vi.fn(async () => {})
  const watcher = watchFile(file, { reload, kept: 'state', log: vi.fn() })
  onTestFinished(() => watcher.close())
  const afterEvent = async (change: () => Promise<void>): Promise<number> => {
    await change()
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.runAllTimersAsync()
    return reload.mock.calls.length
  }
  expect(await afterEvent(() => utimes(file, 1, 1))).toBe(0)
  expect(await afterEvent(() => writeFile(file, 'one'))).toBe(0)
  expect(await afterEvent(() => writeFile(file, 'two'))).toBeGreaterThan(0)
  const count = reload.mock.calls.length
  reload.mockRejectedValueOnce(new UsageError('no good'))
  expect(await afterEvent(() => writeFile(file, 'broken'))).toBeGreaterThan(count)
})

test('the line about a changed fixture says what is lost', () => {
  const out = vi.fn()
  const io = { out, err: vi.fn(), env: {}, isTerminal: { out: false, err: false } }
  const log = createServeLog('pretty', io)
  log({ event: 'reloaded', fixture: 'w.json', pets: 40 })
  log({ event: 'reloaded', file: 's.yaml', stubs: 1 })
  expect(out.mock.calls).toEqual([['Reloaded w.json: 40 pets; all sandboxes were reset'], ['Reloaded s.yaml: 1 stub']])
})

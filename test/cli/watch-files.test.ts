import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { watchFile } from '../../src/cli/serve/load-files.ts'
import { startServe } from './run-cli.ts'
import { makeFiles, makeFolder } from './state-folder.ts'

const { write } = await makeFiles()

/** Watches a new file under a faked clock. */
async function watchNewFile() {
  const file = join(await makeFolder(), 'watched.json')
  await writeFile(file, 'one')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reload = vi.fn(async () => {})
  const watcher = watchFile(file, { reload, kept: 'state', log: vi.fn() })
  onTestFinished(() => watcher.close())
  /** `vi.waitFor` would let the faked time pass. */
  const change = async (how: () => Promise<void>): Promise<void> => {
    await how()
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return { file, reload, watcher, change }
}

test('a change that waits to be read is not read any more when the watch ends', async () => {
  const { file, watcher, change } = await watchNewFile()
  await change(() => writeFile(file, 'two'))
  watcher.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a file with the same content is not loaded again, a changed one is', async () => {
  const { file, reload, change } = await watchNewFile()
  const countAfter = async (how: () => Promise<void>): Promise<number> => {
    await change(how)
    await vi.runAllTimersAsync()
    return reload.mock.calls.length
  }
  expect(await countAfter(() => utimes(file, 1, 1))).toBe(0)
  expect(await countAfter(() => writeFile(file, 'one'))).toBe(0)
  expect(await countAfter(() => writeFile(file, 'two'))).toBeGreaterThan(0)
  const count = reload.mock.calls.length
  reload.mockRejectedValueOnce(new UsageError('no good'))
  expect(await countAfter(() => writeFile(file, 'broken'))).toBeGreaterThan(count)
})

const PET = '{"petId":1,"quantity":1,"status":"sold"}'

test('--watch loads a changed fixture, and keeps the state if the file is invalid', async () => {
  const file = await write('fixture.json', '{"inventory":[]}')
  const { ask, out } = await startServe('--fixture', file, '--watch')
  const list = async (): Promise<string> => (await ask('/inventory')).text()
  expect(await list()).toBe('[]')
  await writeFile(file, `{"inventory":[${PET}]}`)
  await vi.waitFor(async () => expect(await list()).toBe(`[${PET}]`))
  for (const [content, message] of [
    ['{"inventory":[{"petId":1', 'fixture.json: is not JSON'],
    ['{"inventory":[{"petId":{"toString":1},"quantity":1,"status":"sold"}]}', 'petId: must be an int64'],
    [`{"inventory":[{"petId":${'['.repeat(500)}${']'.repeat(500)}}]}`, 'petId: must be an int64'],
  ] as const) {
    const before = out().length
    await writeFile(file, content)
    await vi.waitFor(() => expect(out().slice(before)).toMatch(`"event":"refused"`))
    expect(out().slice(before)).toContain(message)
  }
  expect(await list()).toBe(`[${PET}]`)
})

test('--watch loads changed stubs, keeps those it has if the file is invalid, and never touches the state', async () => {
  const file = await write('stubs.json', '{"stubs":[{"path":"/toys","body":"one"}]}')
  const { ask, out } = await startServe('--stubs', file, '--watch')
  const toys = async (): Promise<string> => (await ask('/toys')).text()
  expect(await toys()).toBe('"one"')
  await vi.waitFor(() => expect(out()).toMatch(/"path":"\/v1\/toys","status":200.*"isStubbed":true/))
  await ask('/inventory/1', { method: 'PATCH', body: { quantity: 77 } })
  await writeFile(file, '{"stubs":[{"path":"/toys","body":"two"},{"path":"/games"}]}')
  await vi.waitFor(async () => expect(await toys()).toBe('"two"'))
  expect(out()).toContain(`{"event":"reloaded","file":${JSON.stringify(file)},"stubs":2}`)
  await writeFile(file, '{"stubs":[{"path":"/inventory"}]}')
  await vi.waitFor(() => expect(out()).toMatch(/"event":"refused","message":"--stubs: .*stubs\[0\]/))
  expect(await toys()).toBe('"two"')
  await writeFile(file, '{"stubs":[]}')
  await vi.waitFor(async () => expect((await ask('/toys')).status).toBe(404))
  expect(await (await ask('/inventory')).text()).toContain('"quantity":77')
})

test('--watch ends with the server', async () => {
  const count = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  await expect.poll(count).toBe(0)
  const [fixture, stubs] = [await write('last.json', '{"inventory":[]}'), await write('none.json', '{"stubs":[]}')]
  const { stop } = await startServe('--fixture', fixture, '--stubs', stubs, '--watch')
  expect(count()).toBe(2)
  await stop()
  await expect.poll(count).toBe(0)
})

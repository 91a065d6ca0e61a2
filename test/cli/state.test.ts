import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock, generateFixture, MockError } from '../../src/index.ts'
import { runCli, startPretty, startServe } from './run-cli.ts'
import { list, makeFolder, patch, post, readState } from './state-folder.ts'

describe('--state', () => {
  test('keeps every sandbox’s state from one run to the next, ids exact, and reset goes back to the fixture', async () => {
    const folder = await makeFolder()
    const flags = ['--state', join(folder, 'kept.json'), '--fixture', 'int64-edges']
    const first = await startServe(...flags)
    await patch(first.url, { petId: '9223372036854775807', quantity: 77 })
    await patch(first.url, { quantity: 78, key: 'demo-key~a' })
    expect(await first.stop()).toBe(0)

    const second = await startServe(...flags)
    expect(await list(second.url)).toContain('{"petId":9223372036854775807,"quantity":77,"status":"sold"}')
    expect(await list(second.url, 'demo-key~a')).toContain('{"petId":1,"quantity":78,"status":"pending"}')
    await post(second.url, '/reset')
    expect(await list(second.url)).toContain('{"petId":9223372036854775807,"quantity":0,"status":"sold"}')
    await second.stop()
    expect(await readdir(folder)).toEqual(['kept.json'])
  })

  test('the start counts the pets of the fixture, also if the state has others', async () => {
    const file = join(await makeFolder(), 'others.json')
    const first = await startServe('--fixture', 'empty', '--state', file)
    await fetch(new URL('/_mock/pets/1', first.url), { method: 'PUT', body: '{"quantity":1,"status":"sold"}' })
    await first.stop()
    const second = await startPretty('--state', file, '--fixture', 'low-stock')
    expect(second.out()).toContain('fixture  low-stock, 10 pets\n')
    await second.stop()
  })

  test('POST /_mock/state/save saves at once', async () => {
    const file = join(await makeFolder(), 'on-demand.json')
    const { url } = await startServe('--state', file)
    await patch(url, { quantity: 5 })
    expect((await post(url, '/state/save')).status).toBe(204)
    expect((await readState(file)).inventory.get(1)?.quantity).toBe(5)
  })

  test('without a file the route says what to do', async () => {
    const response = await createMock().fetch('/_mock/state/save', { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('--state FILE') }),
    ])
  })

  test('a save that fails is told as it is, and an error nobody foresaw is told in the log alone', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const errors = [new MockError('STATE_SAVE', 'The disk is full.'), new Error('secret')]
    const mock = createMock({ saveState: () => Promise.reject(errors.shift()) })
    const save = async (): Promise<unknown> => (await mock.fetch('/_mock/state/save', { method: 'POST' })).json()
    expect(await save()).toEqual({ code: 'internal_error', message: 'The disk is full.', status: 500 })
    expect(log).not.toHaveBeenCalled()
    expect(JSON.stringify(await save())).not.toContain('secret')
    expect(log).toHaveBeenCalledTimes(1)
  })

  test('says what it loaded and saved, a line each', async () => {
    const file = join(await makeFolder(), 'told.json')
    const first = await startPretty('--state', file)
    const url = first.url
    expect(first.out()).toContain(`  state    ${file}, a new file`)
    await patch(url, { quantity: 5 })
    await patch(url, { quantity: 5, key: 'demo-key~a' })
    await first.stop()
    expect(first.out().match(/Saved .*/g)).toEqual([`Saved ${file}: 2 sandboxes, 2 changes`])

    const second = await startPretty('--state', file)
    expect(second.out()).toContain(`  state    ${file}, loaded: 2 sandboxes, 2 changes\n  key`)
    await second.stop()
    expect(second.out()).not.toContain('is saved')
  })

  test('--log json says the same', async () => {
    const file = join(await makeFolder(), 'told.json')
    const first = await startServe('--state', file)
    await patch(first.url, { quantity: 5 })
    await first.stop()
    const second = await startServe('--state', file)
    const read = ({ out }: typeof first) =>
      out()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(read(first)[0]?.['state']).toEqual({ file, isOtherFixture: false })
    expect(read(first).at(-1)).toEqual({ event: 'saved', file, sandboxes: 1, changes: 1 })
    expect(read(second)[0]?.['state']).toEqual({ file, sandboxes: 1, changes: 1, isOtherFixture: false })
  })

  test('overrides another --fixture until a reset, and says so', async () => {
    const file = join(await makeFolder(), 'kept.json')
    const first = await startServe('--state', file, '--fixture', 'default')
    await patch(first.url, { quantity: 5 })
    const before = await list(first.url)
    await first.stop()

    const second = await startPretty('--state', file, '--fixture', 'low-stock')
    const url = second.url
    expect(second.out()).toContain('           it overrides the fixture low-stock until you reset a sandbox')
    expect(await list(url)).toBe(before)
    await post(url, '/reset')
    const lowStock = createMock({ fixture: 'low-stock' })
    expect(await list(url)).toBe(await (await lowStock.fetch('/v1/inventory', AUTHORIZED)).text())
  })

  test.each([
    ['{', /: --state: .*bad\.json: is not JSON/],
    ['{"version":2}\n', /: --state: .*bad\.json: is of version 2, from another release/],
    ['{"version":3}', /: --state: .*bad\.json: seeds is required/],
  ])('%s is refused, and left as it is', async (content, message) => {
    const folder = await makeFolder()
    const file = join(folder, 'bad.json')
    await writeFile(file, content)
    const { code, err } = await runCli('serve', '--port', '0', '--state', file)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(await readFile(file, 'utf8')).toBe(content)
    expect(await readdir(folder)).toEqual(['bad.json'])
  })

  test('a start that fails lets go of the file', async () => {
    const folder = await makeFolder()
    const taken = createServer().listen(0, '127.0.0.1')
    await vi.waitFor(() => expect(taken.listening).toBe(true))
    onTestFinished(() => void taken.close())
    const port = String((taken.address() as AddressInfo).port)
    const { code } = await runCli('serve', '--port', port, '--state', join(folder, 'kept.json'))
    expect([code, await readdir(folder)]).toEqual([2, []])
  })
})

describe('a save', () => {
  test('that comes while another runs waits for one more, and one that finds nothing changed leaves the file alone', async () => {
    const file = join(await makeFolder(), 'at-once.json')
    const mock = createMock()
    const stateFile = await openStateFile(file)
    onTestFinished(() => stateFile.close())
    await stateFile.load(mock)
    const save = async (quantity: number): Promise<number | undefined> => {
      mock.inventory.set(1, { quantity })
      await stateFile.save()
      return (await readState(file)).inventory.get(1)?.quantity
    }
    expect((await Promise.all([save(1), save(2), save(3)])).at(-1)).toBe(3)

    const { mtimeMs } = await stat(file)
    await stateFile.save()
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
    await rm(file)
    await stateFile.save()
    expect((await readState(file)).inventory.get(1)?.quantity).toBe(3)
    expect(await save(4)).toBe(4)
  })

  test('holds one moment: all that was answered before, and nothing that changed meanwhile', async () => {
    const file = join(await makeFolder(), 'moment.json')
    const mock = createMock({ fixture: generateFixture({ pets: 20_000 }) })
    const stateFile = await openStateFile(file)
    onTestFinished(() => stateFile.close())
    await stateFile.load(mock)
    const sandboxes = Array.from({ length: 20 }, (_, index) => mock.sandbox(`s${index}`))
    const change = (quantity: number): void => {
      for (const { inventory } of sandboxes) {
        for (const petId of [1, 10_000, 20_000]) inventory.set(petId, { quantity })
        if (inventory.remove(quantity)) inventory.add({ petId: quantity, quantity, status: 'sold' })
      }
      if (quantity === 0) mock.sandbox('loaded').load('low-stock')
      else mock.sandbox('loaded').reset()
    }
    change(0)
    const expected = mock.exportState()
    let isDone = false
    const saved = stateFile.save().finally(() => {
      isDone = true
    })
    let turns = 1
    for (; !isDone; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      change(turns)
    }
    await saved
    expect(turns).toBeGreaterThan(3)
    expect(await readFile(file, 'utf8')).toBe(expected)
    await stateFile.save()
    expect(await readFile(file, 'utf8')).toBe(mock.exportState())
  })
})

const AUTHORIZED = { headers: { authorization: 'Bearer demo-key' } }

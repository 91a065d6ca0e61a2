import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli, startPretty, startServe } from './run-cli.ts'
import { makeFiles, makeFolder, readQuantity } from './state-folder.ts'

const { write } = await makeFiles()

describe('--state', () => {
  test('keeps every sandbox’s state from one run to the next, ids exact, and reset goes back to the fixture', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'kept.json')
    const flags = ['--state', file, '--fixture', 'int64-edges']
    const first = await startPretty(...flags)
    expect(first.out()).toContain(`  state    ${file}, a new file\n`)
    const method = 'PATCH'
    await first.ask('/inventory/9223372036854775807', { method, body: { quantity: 77 } })
    await first.ask('/inventory/1', { method, body: { quantity: 78 }, key: 'demo-key~a' })
    expect(await first.stop()).toBe(0)
    expect(first.out().match(/Saved .*/g)).toEqual([`Saved ${file}: 2 sandboxes, 2 changes`])

    const second = await startPretty(...flags)
    expect(second.out()).toContain(`  state    ${file}, loaded: 2 sandboxes, 2 changes\n  key`)
    const list = async (key?: string): Promise<string> => (await second.ask('/inventory', { key })).text()
    expect(await list()).toContain('{"petId":9223372036854775807,"quantity":77,"status":"sold"}')
    expect(await list('demo-key~a')).toContain('{"petId":1,"quantity":78,"status":"pending"}')
    await second.ask('/_mock/reset', { method: 'POST' })
    expect(await list()).toContain('{"petId":9223372036854775807,"quantity":0,"status":"sold"}')
    await second.stop()
    expect(await readdir(folder)).toEqual(['kept.json'])
  })

  test('overrides another --fixture until a reset, and the first line and the last one say so', async () => {
    const file = join(await makeFolder(), 'kept.json')
    const first = await startServe('--state', file, '--fixture', 'empty')
    await first.ask('/_mock/pets/1', { method: 'PUT', body: { quantity: 1, status: 'sold' } })
    const list = async ({ ask }: typeof first): Promise<string> => (await ask('/inventory')).text()
    const before = await list(first)
    await first.stop()

    const second = await startServe('--state', file, '--fixture', 'low-stock')
    expect(await list(second)).toBe(before)
    await second.ask('/_mock/reset', { method: 'POST' })
    expect(JSON.parse(await list(second))).toEqual(createMock({ fixture: 'low-stock' }).inventory.list())
    const read = ({ out }: typeof first, index: number): unknown => JSON.parse(out().split('\n').at(index) ?? '')
    const summary = { sandboxes: 1, changes: 1 }
    expect(read(first, 0)).toMatchObject({ state: { file, isOtherFixture: false } })
    expect(read(first, -1)).toEqual({ event: 'saved', file, ...summary })
    // The start counts the pets of the fixture.
    const state = { file, ...summary, isOtherFixture: true }
    expect(read(second, 0)).toMatchObject({ fixture: 'low-stock', fixturePets: 10, pets: 1, state })
  })

  test.each([
    ['{', /: --state: .*bad\.json: is not JSON/],
    ['{"version":2}\n', /: --state: .*bad\.json: is of version 2, from another release/],
  ])('%s is refused, and left as it is', async (content, message) => {
    const file = await write('bad.json', content)
    const { code, err } = await runCli('--port', '0', '--state', file)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(await readFile(file, 'utf8')).toBe(content)
    expect(await readdir(join(file, '..'))).toEqual(['bad.json'])
  })

  test('a start that fails lets go of the file', async () => {
    const folder = await makeFolder()
    await using other = await serve(createMock())
    const { code } = await runCli('--port', String(other.port), '--state', join(folder, 'kept.json'))
    expect([code, await readdir(folder)]).toEqual([2, []])
  })

  test('a second server is refused by name, and the first goes on', async () => {
    const file = join(await makeFolder(), 'state.json')
    const { ask, stop } = await startServe('--state', file)
    const { code, err } = await runCli('--port', '0', '--state', file)
    const message = `petstore-mock: --state: ${file} is in use by process ${process.pid}. Stop that server, or use another file here.`
    expect([code, err]).toEqual([2, message])
    await ask('/inventory/1', { method: 'PATCH', body: { quantity: 5 } })
    expect(await stop()).toBe(0)
    expect(await readQuantity(file)).toBe(5)
  })
})

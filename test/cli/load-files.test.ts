import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { readFixture } from '../../src/cli/files.ts'
import { loadHandlers, loadStubs, watchFile } from '../../src/cli/serve/load-files.ts'
import { createMock } from '../../src/index.ts'
import { startServe } from './run-cli.ts'
import { makeFiles, makeFolder } from './state-folder.ts'

const { write } = await makeFiles()

const YAML = `# the pets of the demo
description: Two pets
inventory:
  - { petId: 1, quantity: 12, status: available } # in stock
  - petId: 9223372036854775807
    quantity: 0
    status: sold
`
const INVENTORY = [
  { petId: 1, quantity: 12, status: 'available' },
  { petId: 9223372036854775807n, quantity: 0, status: 'sold' },
]

describe('a fixture file', () => {
  test.each(['pets.yaml', 'pets.YML'])('%s is read, ids exact', async (name) => {
    expect(await readFixture(await write(name, YAML))).toEqual({ description: 'Two pets', inventory: INVENTORY })
  })

  const ALIASES = Array.from('bcdef', (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcde'[index]}`)}]\n`)

  test.each<[string, string | Buffer, string]>([
    ['missing.json', '{\n  "inventory": [\n    { "petId": 1,, }\n  ]\n}', 'is not JSON: …(line 3 column 18)'],
    ['word.json', '{ "inventory": x }', 'is not JSON: …'],
    ['flow.yaml', 'inventory:\n  - petId: 1\n    status: [sold\n', 'is not YAML: … at line 4, column 1'],
    ['list.yaml', '- 1\n', 'must be a JSON object, got [1] (array)…'],
    ['text.json', '"default"', 'must be a JSON object, got "default" (string)'],
    ['empty.yaml', '', 'must be a JSON object, got null'],
    ['bomb.yaml', `a: &a [x,x,x,x,x,x,x,x,x,x]\n${ALIASES.join('')}`, 'is not YAML: Excessive alias count…'],
    ['latin-1.json', Buffer.from('{"inventory":[],"description":"ä"}', 'latin1'), 'is not UTF-8'],
    ['deep.json', `${'{"inventory":'.repeat(100_000)}1${'}'.repeat(100_000)}`, '…nested more than 1000 levels deep'],
  ])('%s is refused by name and place', async (name, content, message) => {
    const file = await write(name, content)
    await expect(readFixture(file)).rejects.toThrow(toPattern(`${file}: ${message}`))
  })
})

describe('--handlers', () => {
  const msw = JSON.stringify(import.meta.resolve('msw'))

  test('takes a function that is given the mock', async () => {
    const content = `import { http, HttpResponse } from ${msw}
      export const handlers = (mock) => [
        http.get('*/pets/:petId', ({ params }) => HttpResponse.json(mock.inventory.get(params.petId))),
      ]`
    const mock = createMock({ handlers: await loadHandlers(await write('function.mjs', content)) })
    const headers = { authorization: `Bearer ${mock.apiKey}` }
    expect(await (await mock.fetch('/v1/pets/2', { headers })).json()).toMatchObject({ petId: 2 })
    // A handler answers behind the key check of its operation.
    expect((await mock.fetch('/v1/pets/2')).status).toBe(401)
  })

  test('takes an array', async () => {
    const content = `import { http } from ${msw}\nexport default [http.get('*/pets/7', () => {})]`
    expect(await loadHandlers(await write('array.mjs', content))).toHaveLength(1)
  })

  test.each([
    ['throws.mjs', `export default () => { throw new Error('no good\\nat all') }`, ' cannot be loaded: no good'],
    ['class.mjs', 'export default class Handlers {}', " cannot be loaded: Class … cannot be invoked without 'new'"],
    ['throws-null.mjs', 'throw null', ' cannot be loaded: null'],
    ['throws-empty.mjs', 'throw new TypeError()', ' cannot be loaded: TypeError'],
    [
      'missing.mjs',
      'import "@own/not-there/sub"',
      ' cannot be loaded: …not-there…. Install it: npm install --save-dev @own/not-there',
    ],
    [
      'none.mjs',
      'export const other = []',
      ': exports neither handlers nor a default: an array of msw handlers, or a function that returns one.',
    ],
    ['async.mjs', 'export default async () => []', ': the export must be an array…'],
  ])('refuses %s', async (name, content, message) => {
    const file = await write(name, content)
    const load = async () => createMock({ handlers: await loadHandlers(file) })
    await expect(load()).rejects.toThrow(toPattern(`--handlers: ${file}${message}`))
  })
})

describe('--stubs', () => {
  test('reads YAML, ids exact', async () => {
    const file = await write('stubs.yaml', 'stubs:\n  - path: /pets/{petId}\n    body: { id: 9223372036854775807 }\n')
    const { stubs } = await loadStubs(file, '/v1')
    expect(stubs).toMatchObject([{ path: '/pets/{petId}', body: { id: 9223372036854775807n } }])
  })

  test.each([
    ['a.json', '[]', 'the file must be an object…'],
    ['b.json', '{"stub":[]}', 'stub is not known. Did you mean stubs?…'],
    ['c.json', '{"stubs":[{"path":"/x","staus":1}]}', 'stubs[0].staus is not known. Did you mean status?…'],
    ['d.json', '{"stubs":[{"path":"/inventory"}]}', 'stubs[0]: GET /inventory cannot have a stub, because…'],
    ['e.json', '{"stubs":[{"path":"/v1/x"}]}', 'stubs[0]: GET /v1/x has the base path /v1. Leave it out: /x.'],
  ])('refuses %s with %j', async (name, content, message) => {
    const file = await write(name, content)
    await expect(loadStubs(file, '/v1')).rejects.toThrow(toPattern(`--stubs: ${file}: ${message}`))
  })
})

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
  await vi.waitFor(() => expect(out()).toMatch(/"path":"\/v1\/toys","status":200.*"by":"stub"/))
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

/** The whole message, with `…` for what it does not depend on. */
function toPattern(message: string): RegExp {
  return new RegExp(`^${message.split('…').map(RegExp.escape).join('.*')}$`, 's')
}

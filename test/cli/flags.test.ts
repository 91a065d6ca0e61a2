import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import type { Io } from '../../src/cli/io.ts'
import { toCamelCase } from '../../src/cli/option.ts'
import { optionsOf } from '../../src/cli/options.ts'

const folder = await mkdtemp(join(tmpdir(), 'flags-'))
afterAll(() => rm(folder, { recursive: true }))

type Flags = Readonly<Record<string, unknown>>

const SERVE: Flags = {
  port: 0,
  host: '127.0.0.1',
  fixture: 'default',
  randomSeed: 1,
  apiKey: ['demo-key'],
  anyKey: false,
  prefer: false,
  check: false,
  watch: false,
  control: true,
  baseUrl: '/v1',
  proxy: 'http://127.0.0.1:1',
  proxyKeys: false,
  grace: '0',
  open: false,
  log: 'silent',
  quiet: false,
}
const CHECK: Flags = { url: 'http://127.0.0.1:1/v1', apiKey: 'demo-key', reporter: 'pretty', quiet: true }

/** For each command by its name, flags for runs that together read all of them. */
const RUNS: Readonly<Record<string, readonly Flags[]>> = {
  serve: [SERVE],
  exec: [{ ...SERVE, '--': ['none'] }],
  check: [CHECK, { ...CHECK, profile: join(folder, 'profile.json') }],
  record: [{ url: 'http://127.0.0.1:1', apiKey: 'demo-key', timeout: 1, force: false }],
  init: [{ dir: folder, force: false }],
  completion: [{ shell: 'bash' }],
  demo: [{ port: 0, host: '127.0.0.1', open: false }],
  'demo build': [{ output: join(folder, 'demo'), fixture: 'default', apiKey: 'demo-key', force: false }],
  'fixture validate': [{ files: [] }],
  'fixture generate': [{ pets: 0, randomSeed: 1, output: join(folder, 'pets.json'), force: false }],
}

const COPY = 'a copy of all flags, which hides which of them are read'

test('every command is run here', () => {
  expect(Object.keys(RUNS).sort()).toEqual(Object.keys(COMMANDS).sort())
})

/** A flag that nothing reads would be accepted and have no effect. */
test.each(Object.entries(COMMANDS))('every flag of %s is read', async (command, { run, positionals = {} }) => {
  const read = new Set<string | symbol>()
  // Some runs end with an error, after they have read their flags.
  for (const flags of RUNS[command] ?? []) await run(watch(flags, read) as never, createIo()).catch(() => {})
  expect(read).not.toContain(COPY)
  const flags = optionsOf(command).map(({ name }) => toCamelCase(name))
  const declared = [...flags, ...Object.keys(positionals)].filter((name) => name !== 'config')
  expect(declared.filter((name) => !read.has(name))).toEqual([])
})

function watch(flags: Flags, read: Set<string | symbol>): Flags {
  return new Proxy(flags, {
    get(target, name) {
      read.add(name)
      return Reflect.get(target, name) as unknown
    },
    ownKeys(target) {
      read.add(COPY)
      return Reflect.ownKeys(target)
    },
  })
}

/** For a program that is told to stop at once. */
function createIo(): Io {
  return {
    env: {},
    out: () => {},
    err: () => {},
    open: async () => {},
    stop: AbortSignal.abort(),
    hold: () => {},
    takeSignals: () => () => {},
    isTerminal: { out: false, err: false },
  }
}

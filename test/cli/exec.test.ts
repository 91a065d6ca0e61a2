import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toSpawnArguments } from '../../src/cli/commands/exec.ts'
import { runCli } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))
const isWindows = process.platform === 'win32'

const folder = await makeSharedFolder()

interface ExecOptions {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts `petstore-mock exec` with a script for Node as its command. */
function startExec(script: string, { flags = [], env = {} }: ExecOptions = {}) {
  const child = spawn(process.execPath, [BIN, 'exec', ...flags, '--', process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function toOutcome(child: ChildProcessByStdio<null, Readable, Readable>) {
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number | null, out, err }
}

/** Prints the status and the length of the list. */
const LIST = `
  const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: key } = process.env
  const response = await fetch(url + '/inventory', { headers: { authorization: 'Bearer ' + key } })
  console.log(response.status, (await response.json()).length)
`

describe('petstore-mock exec', () => {
  test('the command finds a server at PETSTORE_MOCK_URL that takes PETSTORE_MOCK_API_KEY, and nothing else is printed', async () => {
    expect(await toOutcome(startExec(LIST))).toEqual({ code: 0, out: '200 10\n', err: '' })
  })

  test('takes the flags of serve before --, from the environment too', async () => {
    const flags = ['--pets', '3', '--log', 'pretty']
    const { code, out, err } = await toOutcome(startExec(LIST, { flags, env: { PETSTORE_MOCK_API_KEY: 'own-key' } }))
    expect([code, out]).toEqual([0, '200 3\n'])
    expect(err).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+\/v1\n/)
    expect(err).toMatch(/GET \/v1\/inventory 200/)
  })

  test('passes the key on under one name, so that the command may be petstore-mock itself', async () => {
    const script = `${LIST}; console.log(process.env.PETSTORE_MOCK_KEY)`
    const { out } = await toOutcome(startExec(script, { env: { PETSTORE_MOCK_KEY: 'own-key' } }))
    expect(out).toBe('200 10\nundefined\n')
  })

  test('a command that never calls the mock is told on standard error how to, and its exit code counts', async () => {
    const control = `await fetch(new URL('/_mock/health', process.env.PETSTORE_MOCK_URL)); process.exit(7)`
    const { code, out, err } = await toOutcome(startExec(control))
    expect([code, out]).toEqual([7, ''])
    expect(err).toMatch(
      /^petstore-mock: no request reached the mock\. The command must send its requests to PETSTORE_MOCK_URL \(http:\/\/127\.0\.0\.1:\d+\/v1\), with the key in PETSTORE_MOCK_API_KEY\.\n$/,
    )
  })

  test('--quiet does not say that no request came', async () => {
    expect(await toOutcome(startExec('', { flags: ['--quiet'] }))).toEqual({ code: 0, out: '', err: '' })
  })

  test('a request that the mock refuses is a request', async () => {
    const { err } = await toOutcome(startExec(`await fetch(new URL('/toys', process.env.PETSTORE_MOCK_URL))`))
    expect(err).toBe('')
  })

  test('exits with the code of the command', async () => {
    expect((await toOutcome(startExec('process.exit(7)'))).code).toBe(7)
  })

  test('leaves the arguments behind -- as they are', async () => {
    const child = spawn(
      process.execPath,
      [
        BIN,
        'exec',
        '--quiet',
        '--',
        process.execPath,
        '-p',
        'process.argv.slice(1).join()',
        '--',
        '1e3',
        '--help',
        '--',
        'a b',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    expect(await toOutcome(child)).toEqual({ code: 0, out: '1e3,--help,--,a b\n', err: '' })
  })

  test('the state is saved when the command has ended, and no handler of the user keeps the program', async () => {
    const state = join(folder, 'state.json')
    const handlers = join(folder, 'handlers.mjs')
    await writeFile(handlers, 'setInterval(() => {}, 1000)\nexport default []\n')
    const script = `
      const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: key } = process.env
      const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
      await fetch(url + '/inventory/1', { method: 'PATCH', headers, body: '{"quantity":4711}' })
    `
    const { code } = await toOutcome(startExec(script, { flags: ['--state', state, '--handlers', handlers] }))
    expect([code, await readFile(state, 'utf8')]).toEqual([0, expect.stringContaining('4711')])
  })

  // Windows has no signals that a process could answer.
  describe.skipIf(isWindows)('signals', () => {
    test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
      '%s goes to the command, whose exit code counts',
      async (signal) => {
        const script = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready')`
        const child = startExec(script)
        await once(child.stdout, 'data')
        child.kill(signal)
        expect(await once(child, 'exit')).toEqual([9, null])
      },
    )

    test('a command that a signal ends gives 128 and its number', async () => {
      expect((await toOutcome(startExec(`process.kill(process.pid, 'SIGKILL')`))).code).toBe(137)
    })
  })

  test.each<[string[], number, string]>([
    [['exec', '--', 'no-such-program'], 127, 'exec: no-such-program cannot be run (program not found).'],
    [
      ['exec', '--', '--port', '1', 'npm'],
      127,
      'exec: --port cannot be run (program not found). Flags of petstore-mock go before the --.',
    ],
    [
      ['exec', '--', 'npm run build && npm test'],
      127,
      "exec: npm run build && npm test cannot be run (program not found). Leave out the quotes, or run it in a shell: exec -- sh -c 'npm run build && npm test'",
    ],
    [['exec', '--', tmpdir()], 126, `exec: ${tmpdir()} cannot be run (spawn ${tmpdir()} EACCES).`],
    [['exec', '--', ''], 2, 'exec needs a command after --: petstore-mock exec -- npm test'],
  ])('%j is exit code %i', async (argv, code, message) => {
    expect(await runCli(...argv)).toEqual({ code, out: '', err: `petstore-mock: ${message}` })
  })

  // On Windows the shell reports it.
  test.skipIf(isWindows)('a program whose arguments are too long for the system is exit code 126', async () => {
    const { code, err } = await runCli('exec', '--', 'true', 'x'.repeat(3_000_000))
    expect([code, err]).toEqual([126, 'petstore-mock: exec: true cannot be run (spawn E2BIG).'])
  })

  test('on Windows the shell starts the command, with each argument as it was given', () => {
    expect(toSpawnArguments('win32', ['npm', 'test', '--', 'a b', 'say "hi"', 'C:\\dir with\\'])).toEqual({
      file: 'npm test -- "a b" "say \\"hi\\"" "C:\\dir with\\\\"',
      rest: [],
      isShell: true,
    })
    expect(toSpawnArguments('linux', ['npm', 'a b'])).toEqual({ file: 'npm', rest: ['a b'], isShell: false })
  })
})

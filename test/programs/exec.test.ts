import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toSpawnArguments } from '../../src/cli/commands/exec.ts'
import { runCli } from '../cli/run-cli.ts'
import { type SpawnedBin, spawnBin } from '../cli/start-bin.ts'
import { makeFiles } from '../cli/state-folder.ts'

const isWindows = process.platform === 'win32'

const { folder, write } = await makeFiles()

interface ExecOptions {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts `petstore-mock exec` with a script for Node as its command. */
function startExec(script: string, { flags = [], env = {} }: ExecOptions = {}): SpawnedBin {
  return spawnBin(['exec', ...flags, '--', process.execPath, '-e', script], { env })
}

async function runExec(script: string, options?: ExecOptions) {
  await using bin = startExec(script, options)
  return { code: await bin.exit, out: bin.out(), err: bin.err() }
}

/** Prints the status and the length of the list. */
const LIST = `
  const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: key } = process.env
  const response = await fetch(url + '/inventory', { headers: { authorization: 'Bearer ' + key } })
  console.log(response.status, (await response.json()).length)
`

// They only wait for processes.
describe.concurrent('petstore-mock exec', () => {
  test('the command finds a server at PETSTORE_MOCK_URL that takes PETSTORE_MOCK_API_KEY, and nothing else is printed', async () => {
    expect(await runExec(LIST)).toEqual({ code: 0, out: '200 10\n', err: '' })
  })

  test('takes the flags of serve before --, and keys of the environment', async () => {
    const env = { PETSTORE_MOCK_API_KEY: 'own-key,other' }
    const { code, out, err } = await runExec(LIST, { flags: ['--pets', '3', '--log', 'pretty'], env })
    expect([code, out]).toEqual([0, '200 3\n'])
    expect(err).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+\/v1\n/)
    expect(err).toMatch(/GET \/v1\/inventory 200/)
  })

  test('a command that never calls the mock is told on standard error how to, and its exit code counts', async () => {
    const control = `await fetch(new URL('/_mock/health', process.env.PETSTORE_MOCK_URL)); process.exit(7)`
    const { code, out, err } = await runExec(control)
    expect([code, out]).toEqual([7, ''])
    expect(err).toMatch(
      /^petstore-mock: no request reached the mock\. The command must send its requests to PETSTORE_MOCK_URL \(http:\/\/127\.0\.0\.1:\d+\/v1\), with the key in PETSTORE_MOCK_API_KEY\.\n$/,
    )
  })

  test('a command that fails is told why all requests got 401, once; one with a valid key may expect a 401', async () => {
    const ask = `for (const key of [1, 2]) await fetch(process.env.PETSTORE_MOCK_URL + '/inventory')\n`
    expect(await runExec(ask)).toEqual({ code: 0, out: '', err: '' })
    expect(await runExec(`${LIST}${ask}process.exit(1)`)).toEqual({ code: 1, out: '200 10\n', err: '' })
    expect(await runExec(`${ask}process.exit(1)`)).toEqual({
      code: 1,
      out: '',
      err: 'petstore-mock: a request got 401. The request has no Authorization header. Send authorization: Bearer demo-key.\n',
    })
  })

  test('a mutant that does not exist is named, and its requests count', async () => {
    const { code, err } = await runExec(LIST, { env: { PETSTORE_MOCK_MUTANT: 'nope' } })
    expect([code, err]).toEqual([0, expect.stringContaining('nope')])
    expect(err).not.toContain('no request reached the mock')
  })

  test('leaves the arguments behind -- as they are, and with --quiet does not say that no request came', async () => {
    const print = [process.execPath, '-p', 'process.argv.slice(1).join()', '--']
    await using bin = spawnBin(['exec', '--quiet', '--', ...print, '1e3', '--help', '--', 'a b'])
    expect([await bin.exit, bin.out(), bin.err()]).toEqual([0, '1e3,--help,--,a b\n', ''])
  })

  test('the state is saved when the command has ended, and no handler of the user keeps the program', async () => {
    const state = join(folder, 'state.json')
    const handlers = await write('handlers.mjs', 'setInterval(() => {}, 1000)\nexport default []\n')
    const script = `
      const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: key } = process.env
      const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
      await fetch(url + '/inventory/1', { method: 'PATCH', headers, body: '{"quantity":4711}' })
    `
    const { code } = await runExec(script, { flags: ['--state', state, '--handlers', handlers] })
    expect([code, await readFile(state, 'utf8')]).toEqual([0, expect.stringContaining('4711')])
  })

  // Windows has no signals that a process could answer.
  test.skipIf(isWindows).each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s goes to the command, whose exit code counts',
    async (signal) => {
      const script = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready')`
      await using bin = startExec(script)
      await once(bin.child.stdout, 'data')
      bin.child.kill(signal)
      expect(await bin.exit).toBe(9)
    },
  )

  test.skipIf(isWindows)('SIGTERM also goes to what the command has started', async () => {
    const script = `process.on('SIGTERM', () => process.exit(console.log('ended'))); setInterval(() => {}, 1000); console.log('ready')`
    await using bin = spawnBin(['exec', '-q', '--', 'sh', '-c', '"$0" -e "$1"; exit 3', process.execPath, script])
    await once(bin.child.stdout, 'data')
    bin.child.kill('SIGTERM')
    // The streams end with the last process that has them.
    expect([await bin.exit, bin.out()]).toEqual([143, 'ready\nended\n'])
  })

  test.each([
    ['a.example', '', 'a.example,127.0.0.1 a.example,127.0.0.1'],
    ['*', 'b.example', '* b.example,127.0.0.1'],
  ])(
    'with NO_PROXY=%j and no_proxy=%j, no proxy comes between the command and the mock',
    async (upper, lower, both) => {
      const script = 'console.log(process.env.NO_PROXY, process.env.no_proxy)'
      const { out } = await runExec(script, { flags: ['-q'], env: { NO_PROXY: upper, no_proxy: lower } })
      expect(out).toBe(`${both}\n`)
    },
  )
})

describe('the exit code of exec', () => {
  test.skipIf(isWindows)('a command that a signal ends gives 128 and its number', async () => {
    expect((await runCli('exec', '-q', '--', 'sh', '-c', 'kill -9 $$')).code).toBe(137)
  })

  test.each<[string[], number, string]>([
    [['no-such-program'], 127, 'no-such-program cannot be run (program not found).'],
    [[tmpdir()], 126, `${tmpdir()} cannot be run (spawn ${tmpdir()} EACCES).`],
  ])('%j is exit code %i', async (argv, code, message) => {
    expect(await runCli('exec', '--', ...argv)).toEqual({ code, out: '', err: `petstore-mock: exec: ${message}` })
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMMAND_NAMES } from '../../src/cli/main.ts'
import { OPTIONS } from '../../src/cli/options.ts'
import { runCli } from './run-cli.ts'

/** The only place that pins these sentences. */
describe('wrong use is exit code 2 and one sentence', () => {
  const SERVE = 'See petstore-mock serve --help'
  const URL = 'http://127.0.0.1:1'
  const UNREADABLE = "no.json cannot be read (ENOENT: no such file or directory, open 'no.json')."
  const SHIPPED = 'default, empty, low-stock, sold-out, int64-edges'
  const PROXY = '--proxy must be an http address without a query, user or password'
  const TOKEN =
    'Failed to start the server: controlToken must not be an API key, because every client that has the key could control the mock. Choose another token.'
  const EXEC = 'petstore-mock exec -- npm test'

  test.each([
    [['serve', '--', 'npm', 'test'], `serve takes nothing after --. To run a command against a server: ${EXEC}`],
    [['check', '--', '--key=my-secret'], `check takes nothing after --. To run a command against a server: ${EXEC}`],
    [['check', '--api-key=demo-key\n'], '--api-key must be printable ASCII without line breaks or outer spaces.'],
    [['check', '--header=authorization: x'], '--header cannot set authorization, because check sends its own.'],
    [['-port=x'], `Unknown argument: -port. Did you mean --port? ${SERVE}`],
    [['serve', '-port', '0'], `Unknown argument: -port. Did you mean --port? ${SERVE}`],
    [['-p99999'], '--port must be a whole number from 0 to 65535, got "99999" (string).'],
    [['serve', 'pets.json'], `Unknown argument: pets.json. Do you mean --fixture pets.json? ${SERVE}`],
    [['shop.YAML'], `Unknown argument: shop.YAML. Do you mean --fixture shop.YAML? ${SERVE}`],
    [['low-stock'], `Unknown argument: low-stock. Do you mean --fixture low-stock? ${SERVE}`],
    [['recrod', 'http://me:PW@x'], `Unknown argument: recrod. Did you mean record? ${SERVE}`],
    [['init'], 'init needs <dir>: petstore-mock init public/. See petstore-mock init --help'],
    [
      ['fixture', 'validate'],
      'fixture validate needs <files..>: petstore-mock fixture validate pets.json pets.yaml. See petstore-mock fixture validate --help',
    ],
    [['fixture'], 'fixture needs a command: validate or generate. See petstore-mock fixture --help'],
    [['demo', '--state', 'x'], 'Unknown argument: --state. See petstore-mock demo --help'],
    [['demo', 'bild'], 'Unknown argument: bild. Did you mean build? See petstore-mock demo --help'],
    [['fixture', 'validate', 'no.json'], `${UNREADABLE} Pass a file or the name of a shipped fixture: ${SHIPPED}.`],
    [
      ['--fixture', 'low-stok'],
      "low-stok cannot be read (ENOENT: no such file or directory, open 'low-stok'). Did you mean low-stock?",
    ],
    [['fixture', 'generate'], '--pets is required. See petstore-mock fixture generate --help'],
    [['--port'], `--port needs a value. ${SERVE}`],
    [['-f'], `-f needs a value. ${SERVE}`],
    [['--config='], '--config needs a value.'],
    [['-p', '1', '-p', '2'], '--port is given 2 times. Pass it once.'],
    [['--no-proxy'], '--proxy must be a string or a number.'],
    [['mutate', '--key=x'], 'Unknown argument: --key. See petstore-mock mutate --help'],
    [['--prot', '1'], `Unknown argument: --prot. Did you mean --port? ${SERVE}`],
    [['-z'], `Unknown argument: -z. ${SERVE}`],
    [['--no-controls'], `Unknown argument: --no-controls. Did you mean --no-control? ${SERVE}`],
    [['--__proto__.x', '5'], `Unknown argument: --__proto__.x. ${SERVE}`],
    [['exec', 'npm', 'test', '--ui'], `exec takes its command after --: ${EXEC}. See petstore-mock exec --help`],
    [
      ['exec', '-k', 'my-secret', 'npm', 'test'],
      `exec takes its command after --: ${EXEC}. See petstore-mock exec --help`,
    ],
    [['exec'], `exec needs a command after --: ${EXEC}`],
    [['--pets', '3', '--fixture', 'default'], '--fixture and --pets cannot be combined.'],
    [['--quantity-min', '5', '--quantity-max', '1'], '--quantity-min (5) is above --quantity-max (1).'],
    [['--any-key', '--api-key', 'own'], '--api-key and --any-key cannot be combined.'],
    [['-k', 'a,b', '--control-token', 'b'], TOKEN],
    [['--any-key', '--control-token', 'demo-key'], TOKEN],
    [['--watch'], '--watch needs a fixture file or stubs. Pass one with --fixture or --stubs.'],
    [['--tls-cert', 'a.pem'], '--tls-cert and --tls-key must be given together.'],
    [['--proxy', 'nowhere'], `${PROXY}, got a value of type string.`],
    [['--proxy', 'http://user:PW@127.0.0.1:1'], `${PROXY}, got a value of type string.`],
    [
      ['--base-url', 'api'],
      '--base-url must be an http address or a path that starts with /, without a query, and not below /_mock, got "api" (string).',
    ],
    [['check', '--write'], '--write needs the URL of a running service.'],
    [['check', URL, '--pet', '7'], '--pet needs --write.'],
    [['check', URL, '--write', '--pet', 'x'], '--pet must be an int64, got "x".'],
    [['check', URL, '--header', 'X-For: 1, 2', '--profile', 'no.json'], `--profile: ${UNREADABLE}`],
    [['check', URL, '--restore', 'a.json', '--write'], '--restore and --write cannot be combined.'],
    [['check', URL, '--header', 'no'], "--header must be a name and a value, as in 'X-Tenant: 7'."],
  ])('%j', async (argv, message) => {
    expect(await runCli(...argv)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
  })
  const text = fc.oneof(
    fc.constantFrom('', '-1', '1e3', '[', '--', '__proto__', 'http://', 'no.json', '\n', '\0'),
    fc.string({ unit: 'binary', maxLength: 9 }),
  )
  const name = fc.constantFrom(...OPTIONS.flatMap(({ name }) => [name, name.slice(1), `no-${name}`, `${name}.x`]))
  const flag = fc.tuple(name, text).chain(([name, text]) => fc.constantFrom(`--${name}`, `--${name}=${text}`))
  const wrong = fc.constantFrom('--port=x', '--random-seed=1.5', '--timeout=soon', '--jobs=0', '--nope', '-z')

  test('also of drawn flags and values', async () => {
    const lines = fc.tuple(fc.constantFrom(...COMMAND_NAMES), fc.array(flag, { maxLength: 3 }), wrong)
    const run = fc.asyncProperty(lines, async ([command, flags, last]) => {
      const { code, out, err } = await runCli(...command.split(' '), ...flags, last)
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^petstore-mock: (?!.*\n\s+at )/s)])
    })
    await fc.assert(run, { numRuns: 200 })
  })
})

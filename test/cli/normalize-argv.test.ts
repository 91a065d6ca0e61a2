import { describe, expect, test } from 'vitest'
import { normalizeArgv } from '../../src/cli/normalize-argv.ts'
import { runCli, startServe } from './run-cli.ts'

describe('a flag that is on or off', () => {
  test.each([
    [['--any-key=yes'], '--any-key must be true or false, got "yes" (string).'],
    [['serve', '--anyKey=yes'], '--anyKey must be true or false, got "yes" (string).'],
    [['--watch='], '--watch must be true or false, got "" (string).'],
    [['--control=on'], '--control must be true or false, got "on" (string).'],
    [['exec', '-q=2', '--', 'npm', 'test'], '-q must be true or false, got "2" (string).'],
    [['--no-control=true'], '--no-control takes no value. Write --no-control or --control=false.'],
    [['demo', '--open=firefox'], '--open must be true or false, got "firefox" (string).'],
  ])('%j is refused by name', async (argv, message) => {
    expect(await runCli(...argv)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
  })

  test.each([
    [
      ['--watch=1', '-q=0'],
      ['--watch=true', '-q=false'],
    ],
    [['--control=false'], ['--control=false']],
    [
      ['--port=1', '-k=1'],
      ['--port=1', '-k=1'],
    ],
    [
      ['exec', '--', 'x', '--watch=1', '-port'],
      ['exec', '--', 'x', '--watch=1', '-port'],
    ],
  ])('%j is read as %j', (argv, words) => {
    expect(normalizeArgv(argv)).toEqual(words)
  })

  test('--control=1 serves the control API', async () => {
    const { url } = await startServe('--control=1')
    expect((await fetch(new URL('/_mock/health', url))).status).toBe(200)
  })
})

test.each([
  [['serve', '--', 'npm', 'test'], 'serve runs no command. To run it against a server: petstore-mock exec -- npm test'],
  [
    ['-f', 'low-stock', '--', 'npm', 'test'],
    'serve runs no command. To run it against a server: petstore-mock exec -f low-stock -- npm test',
  ],
  [
    ['-f', 'low-stock', 'exec', '--', 'npm', 'test'],
    'serve runs no command. To run it against a server: petstore-mock exec -f low-stock -- npm test',
  ],
  [
    ['serve', '-k', 'my-secret', '--', 'curl', '-k', 'my-secret'],
    'serve runs no command. To run it against a server: petstore-mock exec -k (hidden) -- curl -k (hidden)',
  ],
  [['serve', '--', '--quantity-max', '5'], 'serve takes nothing after --, got --quantity-max. Leave out the --.'],
  [['serve', '--', '--api-key=my-secret'], 'serve takes nothing after --, got --api-key=(hidden). Leave out the --.'],
  [['check', 'http://127.0.0.1:1', '--', '--write'], 'check takes nothing after --, got --write. Leave out the --.'],
  [
    ['fixture', 'validate', 'low-stock', '--', 'b.json'],
    'fixture validate takes nothing after --, got b.json. Leave out the --.',
  ],
])('%j is refused', async (argv, message) => {
  expect(await runCli(...argv)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
})

test.each([
  [['-fixture', 'low-stock'], '-fixture has one dash. Write --fixture.'],
  [['-port=4101'], '-port has one dash. Write --port.'],
  [['demo', '-open'], '-open has one dash. Write --open.'],
  [['-no-control'], '-no-control has one dash. Write --no-control.'],
])('%j is refused with the right name', async (argv, message) => {
  expect(await runCli(...argv)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
})

test.each([
  [['serve', 'pets.json'], 'Unknown command pets.json. Do you mean --fixture pets.json? See petstore-mock --help'],
  [['shop.YAML'], 'Unknown command shop.YAML. Do you mean --fixture shop.YAML? See petstore-mock --help'],
  [['low-stock'], 'Unknown command low-stock. Do you mean --fixture low-stock? See petstore-mock --help'],
  [
    ['demo', '-f', 'x.json'],
    'Unknown flag -f for demo. It is a flag of serve, exec and demo build. See petstore-mock demo --help',
  ],
  [['serve', '-x'], 'Unknown flag -x for serve. See petstore-mock serve --help'],
])('%j is explained', async (argv, message) => {
  expect(await runCli(...argv)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
})

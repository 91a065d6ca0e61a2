import { expect, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const SCRIPT = `
  const { createMock } = await import('./src/index.ts')
  const { interceptRequests } = await import('./src/runtimes/node.ts')
  const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
  const interception = interceptRequests(mock)
  mock.faults.add({ error: 'timeout' })
  const send = (signal) => fetch('https://api.petstore.example/v1/inventory', { signal }).catch(({ name }) => name)
`

const run = (code: string) => runProgram(process.execPath, ['--input-type=module', '--eval', SCRIPT + code])

test('a program waits for the abort of a request without a response', async () => {
  const { exitCode, stdout } = await run('console.log(await send(AbortSignal.timeout(100)))')
  expect([exitCode, stdout]).toEqual([0, 'TimeoutError\n'])
})

test('a program ends after stop(), also with a request without a response', async () => {
  const ended = 'setImmediate(() => interception.stop()); void send()'
  expect(await run(ended)).toMatchObject({ exitCode: 0, output: '' })
})

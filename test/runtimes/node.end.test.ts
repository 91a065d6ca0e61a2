import { expect, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const SCRIPT = `
  const { createMock } = await import('./src/index.ts')
  const { interceptRequests } = await import('./src/runtimes/node.ts')
  const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
  const interception = interceptRequests(mock)
  mock.faults.add({ error: 'timeout' })
  const send = (signal) => fetch('https://api.petstore.example/v1/inventory', { signal }).catch(({ name }) => name)
  const fetchRequest = (url, init) => mock.fetch(new Request(url, init))
`

const run = (code: string) => runProgram(process.execPath, ['--input-type=module', '--eval', SCRIPT + code])

test('a program waits for the abort of a request without a response', async () => {
  const { exitCode, stdout } = await run('console.log(await send(AbortSignal.timeout(100)))')
  expect([exitCode, stdout]).toEqual([0, 'TimeoutError\n'])
})

test.each(['mock.fetch', 'fetchRequest'])('a program waits for the abort of %s', async (fetch) => {
  const signal = 'AbortSignal.timeout(100)'
  const code = `await ${fetch}('http://any/v1/inventory', { signal: ${signal} }).catch(({ name }) => console.log(name))`
  const { exitCode, stdout } = await run(code)
  expect([exitCode, stdout]).toEqual([0, 'TimeoutError\n'])
})

test.each(['fetch', 'mock.fetch', 'fetchRequest'])(
  'a program ends when %s gives up a handler that never answers',
  async (fetch) => {
    const { exitCode, stdout } = await run(`
      const { http } = await import('msw')
      mock.reset()
      mock.use(http.get('*/v1/hours', () => new Promise(() => {})))
      const signal = AbortSignal.timeout(100)
      await ${fetch}('https://api.petstore.example/v1/hours', { signal }).catch(({ name }) => console.log(name))`)
    expect([exitCode, stdout]).toEqual([0, 'TimeoutError\n'])
  },
)

test('a program ends after stop(), also with a request without a response', async () => {
  const ended = 'setImmediate(() => interception.stop()); void send()'
  expect(await run(ended)).toMatchObject({ exitCode: 0, output: '' })
})

test('a program ends after the close() of its own setupServer, also with a request without a response', async () => {
  const { exitCode, output } = await run(`
    const { setupServer } = await import('msw/node')
    const { createHandlers } = await import('./src/msw/create-handlers.ts')
    interception.stop()
    const server = setupServer(...createHandlers(mock))
    server.listen()
    void send()
    setTimeout(() => server.close(), 100)`)
  expect([exitCode, output]).toEqual([0, ''])
})

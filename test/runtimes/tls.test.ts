import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'
import { openRawClient } from '../wire/raw-client.ts'

const { cert, key } = await createCertificate()
const other = await createCertificate()

describe('serve with tls that cannot be used names the options', () => {
  test.each([
    ['swapped', { cert: key, key: cert }],
    ['another key', { cert, key: other.key }],
    ['nothing', { cert: '', key: '' }],
  ])('%s', async (_, tls) => {
    const refusal = await serve(createMock(), { tls }).then(
      (server) => server.close(),
      (error: Error) => error,
    )
    expect(refusal).toMatchObject({ name: 'MockError', code: 'INVALID_OPTION' })
    expect((refusal as Error).message).toMatch(/^Failed to start the server: tls.cert (?:and tls.key .*)?must be/)
  })

  test('a chain and a key that belong together are served', async () => {
    await using server = await serve(createMock(), {
      tls: { cert: `# own\n${cert}\n${other.cert}`, key: Buffer.from(key) },
    })
    expect(server.url).toMatch(/^https:/)
  })
})

test('a client that never begins its handshake does not keep a server from closing', async () => {
  const server = await serve(createMock(), { tls: { cert, key }, grace: 60_000 })
  using client = await openRawClient(`http://127.0.0.1:${server.port}`)
  await server.close()
  expect(await client.ended).toBeDefined()
})

import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'

const { cert, key } = await createCertificate()
const other = await createCertificate()
const encrypted = createPrivateKey(key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
  .toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const broken = (pem: string): string => pem.replace(/\n[^-]{40}/, '\n')

describe('serve with tls that cannot be used names the option', () => {
  test.each([
    ['swapped', { cert: key, key: cert }, 'tls.cert is not a certificate'],
    ['swapped Buffers', { cert: Buffer.from(key), key: Buffer.from(cert) }, 'tls.cert is not a certificate'],
    ['a broken certificate', { cert: broken(cert), key }, 'tls.cert is not a certificate'],
    ['a certificate as key', { cert, key: cert }, 'tls.key is not a private key'],
    ['a broken key', { cert, key: broken(key) }, 'tls.key is not a private key'],
    ['an encrypted key', { cert, key: encrypted }, 'tls.key is not a private key (PEM) without a passphrase'],
    ['another key', { cert, key: other.key }, 'tls.cert and tls.key do not match'],
    ['a key of another kind', { cert, key: rsa }, 'tls.cert and tls.key do not match'],
    ['a path as cert', { cert: 'c.pem', key: 'k.pem' }, 'tls.cert is not a certificate'],
    ['a path as key', { cert, key: './k.pem' }, 'tls.key is not a private key'],
    ['no key', { cert, key: '' }, 'tls.key is not a private key'],
    ['nothing', { cert: '', key: '' }, 'tls.cert is not a certificate'],
  ])('%s', async (_, tls, sentence) => {
    const refusal = await serve(createMock(), { tls }).then(
      (server) => server.close(),
      (error: Error) => error,
    )
    expect(refusal).toMatchObject({ name: 'MockError', code: 'INVALID_OPTION' })
    expect((refusal as Error).message).toContain(`Failed to start the server: ${sentence}`)
  })

  test('a chain and a key that belong together are served', async () => {
    await using server = await serve(createMock(), {
      tls: { cert: `# own\n${cert}\n${other.cert}`, key: Buffer.from(key) },
    })
    expect(server.url).toMatch(/^https:/)
  })
})

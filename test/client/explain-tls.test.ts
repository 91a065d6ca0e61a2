import { afterAll, describe, expect, test } from 'vitest'
import { ask } from '../../src/check/service.ts'
import { explainTls } from '../../src/client/ask-control.ts'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli } from '../cli/run-cli.ts'
import { createCertificate } from '../wire/certificate.ts'

const plain = await serve(createMock())
const secure = await serve(createMock(), { tls: await createCertificate() })
afterAll(() => Promise.all([plain.close(), secure.close()]))

/** The message of a failure, from each part of the project that calls a service. */
const CALLERS: Readonly<Record<string, (url: string) => Promise<string>>> = {
  connectMock: (url) => toMessage(connectMock(url).inventory.list()),
  check: async (url) => (await ask({ url, apiKey: 'demo-key' }, { operation: 'listInventory' })).text,
  record: async (url) => (await runCli('record', url)).err,
}

function toMessage(work: Promise<unknown>): Promise<string> {
  return work.then(String, (error: Error) => error.message)
}

describe.each(Object.entries(CALLERS))('%s over https', (_, call) => {
  test('says that the server speaks http, without the text of OpenSSL', async () => {
    const message = await call(plain.url.replace('http:', 'https:'))
    expect(message).toContain('the server speaks http, not https')
    expect(message).not.toMatch(/SSL|\n/)
  })

  test('names NODE_EXTRA_CA_CERTS for a certificate that is not trusted', async () => {
    const message = await call(secure.url)
    expect(message).toContain('self-signed certificate. To trust the certificate, set NODE_EXTRA_CA_CERTS to its file')
  })
})

test('any other reason is left alone', () => {
  expect(explainTls(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))).toBeUndefined()
  expect(explainTls(new TypeError('fetch failed'))).toBeUndefined()
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** A certificate for localhost and its key, in PEM form. Made anew, so that the repository holds no private key. */
export async function createCertificate(): Promise<{ cert: string; key: string }> {
  const altNames = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ] as const
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [...altNames] },
    ],
  })
  return { cert: pems.cert, key: pems.private }
}

/** The flags that serve over https, and the paths that they name. Disposing of it deletes the files. */
export async function createTlsFlags(): Promise<TlsFlags> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-tls-'))
  const [certFile, keyFile] = [join(folder, 'localhost.cert.pem'), join(folder, 'localhost.key.pem')]
  const { cert, key } = await createCertificate()
  await writeFile(certFile, cert)
  await writeFile(keyFile, key, { mode: 0o600 })
  return {
    cert,
    flags: ['--tls-cert', certFile, '--tls-key', keyFile],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

export interface TlsFlags extends AsyncDisposable {
  readonly cert: string
  readonly flags: readonly string[]
}

import { MockError } from '../../http/mock-error.ts'
import type { Tls } from './http-server.ts'

const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m

/** Loads OpenSSL's functions only when serving over https. @returns A sentence that names the certificate or the key. */
export async function findTlsProblem(
  { cert, key }: Tls,
  names: { readonly cert: string; readonly key: string },
): Promise<string | undefined> {
  const [{ createSecureContext }, { createPrivateKey, X509Certificate }] = await Promise.all([
    import('node:tls'),
    import('node:crypto'),
  ])
  const [noCertificate, noKey] = [`${names.cert} is not a certificate.`, `${names.key} is not a private key.`]
  const mismatch = attempt(() => {
    createSecureContext({ cert, key })
    // OpenSSL also accepts a key of another kind, such as RSA for an EC certificate.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('key values mismatch')
  })
  if (mismatch === undefined) return undefined
  if (attempt(() => new X509Certificate(cert)) !== undefined) return noCertificate
  if (ENCRYPTED.test(toText(key)))
    return `${names.key} needs a passphrase: decrypt it first, for example with openssl pkey -in FILE -out NEW_FILE.`
  if (attempt(() => createPrivateKey(key)) !== undefined) return noKey
  return `${names.cert} and ${names.key} do not match: ${mismatch.message}.`
}

/** @throws {MockError} `INVALID_OPTION` */
export async function assertTls(tls: Tls, failure: string): Promise<void> {
  for (const name of ['cert', 'key'] as const) {
    if (isPath(tls[name]))
      throw new MockError('INVALID_OPTION', `${failure}: tls.${name} got a path: pass the content of the file.`)
  }
  const problem = await findTlsProblem(tls, { cert: 'tls.cert', key: 'tls.key' })
  if (problem !== undefined) throw new MockError('INVALID_OPTION', `${failure}: ${problem}`)
}

/** Base64 has no dot. */
function isPath(pem: string | Buffer): boolean {
  return /^[^\n]+\.\w+$/.test(toText(pem))
}

/** Any Uint8Array is accepted as a Buffer. */
function toText(pem: string | Buffer): string {
  return typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1')
}

function attempt(use: () => unknown): Error | undefined {
  try {
    use()
    return undefined
  } catch (error) {
    return error as Error
  }
}

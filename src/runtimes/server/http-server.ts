import { createServer, type Server, type ServerOptions } from 'node:http'
import { MockError } from '../../http/mock-error.ts'

/** Certificate and key (PEM). */
export interface Tls {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

/** The time limit for the head of a request, in milliseconds. */
const HEAD_MS = 30_000
/** How often Node checks for heads over the limit, in milliseconds. */
const CHECK_MS = 1000

/** The maximum number of open connections. Further ones are closed at once. */
export const MOST_CONNECTIONS = 2048

/** Creates a Node server that leaves malformed requests to the mock instead of answering them itself. */
export async function createHttpServer(tls: Tls | undefined, options: ServerOptions = {}): Promise<Server> {
  const settings: ServerOptions = {
    // Joins repeated headers, as fetch does. Node would drop all but one.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    // Closing idle connections races with clients that reuse them, which makes tests flaky.
    keepAliveTimeout: 0,
    headersTimeout: HEAD_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
  }
  const server = tls === undefined ? createServer(settings) : await createHttpsServer({ ...settings, ...tls })
  server.maxConnections = MOST_CONNECTIONS
  return server
}

/** Loaded only when serving over https. */
async function createHttpsServer(settings: ServerOptions & Tls): Promise<Server> {
  const https = await import('node:https')
  return https.createServer(settings)
}

/** Resolves when the server listens. @throws {MockError} `SERVER_START` */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartError(cause, { port, host })))
    server.listen(port, host, resolve)
  })
}

function toStartError(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): MockError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken. Stop the program that uses it, or choose another port; 0 picks a free one.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is not a host name of this machine.`,
    EACCES: `port ${port} is privileged. Choose a port above 1023.`,
  }
  return new MockError('SERVER_START', `Failed to start the server: ${reasons[cause.code ?? ''] ?? cause.message}`, {
    cause,
  })
}

/** The host in the server's URL. Clients cannot connect to a wildcard address such as 0.0.0.0. */
export function toHostname(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

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

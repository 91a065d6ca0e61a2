/** Codes of certificates that Node does not trust. */
const UNTRUSTED = /SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/

/**
 * Why a TLS connection failed, and what to do, in place of OpenSSL's text.
 * @param error The error of `fetch`, with its reason in `cause`.
 * @returns `undefined` for any other reason.
 */
export function explainTls(error: unknown): string | undefined {
  const { code, message = '' } = ((error as Error).cause ?? {}) as { code?: unknown; message?: string }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || message.includes('wrong version number'))
    return 'the server speaks http, not https'
  if (typeof code !== 'string' || !UNTRUSTED.test(code)) return undefined
  const [reason] = message.split(';')
  return `${reason}. To trust the certificate, set NODE_EXTRA_CA_CERTS to its file (PEM) before you start Node`
}

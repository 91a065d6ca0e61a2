/**
 * The one place where credentials are replaced before anybody sees them: in journal entries, events, the log, messages.
 * Whoever shows a header, an address or a path of a request goes through here.
 */

/** What stands in the place of a credential: hidden values are marked, so that one can see that something was sent. */
export const HIDDEN = '(hidden)'

/** Without case and separators, a name that contains one of these is that of a credential: `X-Auth-Token`, `client_secret`. */
const SECRET_WORD =
  /authorization|token|secret|passw|passphrase|credential|signature|apikey|accesskey|authkey|privatekey|subscriptionkey|sessionid|bearer|cookie|jwt/

/** These are credentials only as a whole name: `?key=`, but not `Idempotency-Key`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'key',
  'auth',
  'authentication',
  'pass',
  'pwd',
  'pin',
  'sid',
  'sig',
  'session',
])

/** Says whether credentials may be sent. It contains none. */
const ALLOW_CREDENTIALS = 'access-control-allow-credentials'

const KNOWN_SCHEME = /^(?:bearer|basic|digest|token)(?=\s|$)/i
const IS_AUTHORIZATION = /authorization$/i
/** RFC 3986, section 3.2.1. */
const USERINFO = /\/\/[^/?#\s]*@/g
/** Where the name of a parameter begins, percent-decoded. */
const NAME_BEGINS = /[?&;,#\s"'/(<>]/

/** The headers with every credential replaced; a name that is repeated keeps its last value. */
export function hideInHeaders(headers: Iterable<readonly [name: string, value: string]>): Record<string, string> {
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, hideInHeader(name, value)]))
}

/**
 * An address, or a part of one, with its userinfo and the parameters named like a key or token replaced. A value is
 * replaced up to the next `&`, whatever is in it.
 */
export function hideInAddress(text: string): string {
  if (!/[=@]|%3D|%40/i.test(text)) return text
  return text.replaceAll(USERINFO, `//${HIDDEN}@`).split('&').map(hideInParameter).join('&')
}

function hideInHeader(name: string, value: string): string {
  if (value === '' || name === ALLOW_CREDENTIALS) return value
  if (IS_AUTHORIZATION.test(name)) return hideAuthorization(value)
  if (isSecretName(name)) return HIDDEN
  if (name === 'host') return value.replace(/^.*@/, `${HIDDEN}@`)
  return hideInAddress(value)
}

/** Of a scheme that is not known it might be the key itself, sent without a scheme. */
function hideAuthorization(value: string): string {
  const [scheme] = KNOWN_SCHEME.exec(value) ?? []
  if (scheme === undefined) return HIDDEN
  return scheme.length === value.trim().length ? scheme : `${scheme} ${HIDDEN}`
}

/** An address can be the value of a parameter, percent-encoded, with parameters and a userinfo of its own. */
function hideInParameter(text: string): string {
  if (countUserinfo(decode(text)) > countUserinfo(text)) return text.slice(0, text.indexOf('=') + 1) + HIDDEN
  let start = 0
  for (const { index, 0: sign } of text.matchAll(/=|%3D/gi)) {
    const [name = ''] = decode(text.slice(start, index)).split(NAME_BEGINS).slice(-1)
    start = index + sign.length
    if (start < text.length && isSecretName(name)) return text.slice(0, start) + HIDDEN
  }
  return text
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_WORD.test(plain) || SECRET_NAMES.has(plain.replace(/^x/, ''))
}

function countUserinfo(text: string): number {
  return text.match(USERINFO)?.length ?? 0
}

/** Byte by byte, so that no malformed escape elsewhere keeps a name from being read. */
function decode(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

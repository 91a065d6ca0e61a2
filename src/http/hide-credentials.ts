/**
 * All redaction of credentials is here. Code that shows a header, an address or a path of a request (in the journal,
 * events, the log or a message) must use these functions.
 */

/** Replaces a credential. It stays visible that the client sent one. */
export const HIDDEN = '(hidden)'

/** A name that contains one of these is a credential, ignoring case and separators: `X-Auth-Token`, `client_secret`. */
const SECRET_WORD =
  /authorization|token|secret|passw|passcode|passphrase|credential|assertion|signature|(?:api|access|auth|private|subscription)key|sess(?:ion)?id|bearer|cookie|jwt|saml|wresult/

/**
 * A name that ends in one of these is a credential, also with a number, unless it names something public:
 * `app_key` and `otp2`, but not `sort_key`.
 */
const SECRET_ENDING =
  /(?:key|code|otp|pass|pwd?|pin|psk|sid|sig|session|ticket|auth|authentication|dpop|csrf|xsrf|verifier|hmac|[2m]fa)\d*$/
const PUBLIC_ENDING =
  /(?:(?:idempotency|websocket|surrogate|cache|partition|routing|sort|public)key|(?:status|error|country|language|currency|post|postal|zip|bar)code|bypass)\d*$/

/** Their values are a flag and a status: `code=404`. */
const PUBLIC_HEADER = /^(?:access-control-allow-credentials|prefer|preference-applied)$/

const KNOWN_SCHEME = /^(?:bearer|basic|digest|token)(?=\s|$)/i
const IS_AUTHORIZATION = /authorization$/i
/** The userinfo of an address: RFC 3986, section 3.2.1. */
const USERINFO = /\/\/[^/?#\s]*@/g
/** Characters that can precede the name of a parameter, after percent-decoding. */
const NAME_BEGINS = /[?&;,#\s"'/(<>]/

/** Redacts the credentials in headers. Of several headers with the same name, the last one is kept. */
export function hideInHeaders(headers: Iterable<readonly [name: string, value: string]>): Record<string, string> {
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, hideInHeader(name, value)]))
}

/**
 * Redacts an address or a part of one: its userinfo, and every parameter named like a key or token. A value ends only
 * at the next `&`, so it is redacted whole whatever it contains.
 */
export function hideInAddress(text: string): string {
  if (!/[=@%]/.test(text)) return text
  return text.replaceAll(USERINFO, `//${HIDDEN}@`).split('&').map(hideInParameter).join('&')
}

/** Redacts the credentials in the value of a header, whose name is in lower case. */
export function hideInHeader(name: string, value: string): string {
  if (value === '' || PUBLIC_HEADER.test(name)) return value
  if (IS_AUTHORIZATION.test(name)) return hideAuthorization(value)
  if (isSecretName(name)) return HIDDEN
  if (name === 'host') return value.replace(/^.*@/, `${HIDDEN}@`)
  return hideInAddress(value)
}

/** Keeps only a known scheme: an unknown one may be the key itself, sent without a scheme. */
function hideAuthorization(value: string): string {
  const [scheme] = KNOWN_SCHEME.exec(value) ?? []
  if (scheme === undefined) return HIDDEN
  return scheme.length === value.trim().length ? scheme : `${scheme} ${HIDDEN}`
}

/**
 * A parameter's value can be another address, percent-encoded to any depth, with its own userinfo and parameters. If one of
 * them is a credential, all of the value is hidden.
 */
function hideInParameter(text: string): string {
  const plain = decodeBytes(text)
  // The name before each `=`: of `next=/a?token=x=`, `next` and `token`. At the end, `=` is the padding of a token.
  const names = Array.from(plain.split(/=(?!$)/).slice(0, -1), (before) => before.split(NAME_BEGINS).at(-1) ?? '')
  const isSecret = names.some(isSecretName)
  // Decoded, it may show a user that the text does not: next=https%3A%2F%2Fuser%3Apassword%40host.
  const hasHiddenUser = countUserinfo(plain) > countUserinfo(text)
  if (!isSecret && !hasHiddenUser) return text
  // The name stays.
  return text.replace(/([^=%]*=?).*/s, `$1${HIDDEN}`)
}

/** Whether a header or parameter of this name is a credential. */
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_WORD.test(plain) || (SECRET_ENDING.test(plain) && !PUBLIC_ENDING.test(plain))
}

function countUserinfo(text: string): number {
  return text.match(USERINFO)?.length ?? 0
}

/** Decodes each byte alone: `decodeURIComponent` would reject the whole text for one malformed escape. */
function decodeBytes(text: string): string {
  return text.replaceAll(/%(?:25)*[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(-2), 16)))
}

/**
 * Why a request of `fetch` failed. Its own error only says that it did; the reason is in the `cause`. Either may repeat
 * the address, so credentials are redacted.
 */
export function toFetchReason(error: unknown): string {
  const { message, cause } = error as Error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  // Firefox ends its sentence, which is part of another one here.
  return hideInAddress(reason).replace(/\.$/, '')
}

/** Headers of one connection (RFC 9110, section 7.6.1), and CORS headers: the server sends its own instead. */
const REPLACED_HEADERS =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|content-length|access-control-.*)$/
/** The codings that fetch decodes. It leaves a body with any other coding as it is. */
const DECODED = /^\s*(?:x-gzip|gzip|deflate|br|zstd)\s*$/i

/** The headers of a response from `fetch` that still describe its body, which fetch has decoded. */
export function toEndToEndHeaders(response: Response): Headers {
  const headers = new Headers(response.headers)
  const named = listConnectionHeaders(headers)
  for (const [name] of response.headers) if (REPLACED_HEADERS.test(name) || named.has(name)) headers.delete(name)
  const codings = headers.get('content-encoding')?.split(',') ?? []
  if (codings.every((coding) => DECODED.test(coding))) headers.delete('content-encoding')
  return headers
}

/** `Connection` names more headers of one connection. */
export function listConnectionHeaders(headers: Headers): ReadonlySet<string> {
  const names = headers.get('connection')?.toLowerCase().split(',') ?? []
  return new Set(names.map((name) => name.trim()))
}

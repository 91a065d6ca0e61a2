/** A response as it came over the wire. */
export interface WireResponse {
  readonly status: number
  readonly reason: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A response with the number of bytes that it took; `undefined` where more bytes are needed. */
export type Parsed = { readonly response: WireResponse; readonly length: number } | undefined

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) ([\t \x21-\x7e\x80-\xff]*)$/
const FIELD_LINE =
  /^([!#$%&'*+.^_`|~\w-]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[ \t]*$/
/** Fields that the mock never sends twice. */
const REPEATABLE = ['set-cookie']

/**
 * Reads the first response out of bytes as RFC 9112 has it, and forgives nothing.
 * @param method Of the request: a response to `HEAD` has no body.
 * @throws {Error} where the bytes are not a response.
 */
export function parseResponse(bytes: Buffer, method: string): Parsed {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) {
    // Also an unfinished head must look like the beginning of one.
    if (!'HTTP/1.1 '.startsWith(bytes.toString('latin1', 0, 9))) throw refuse('No response begins like this', bytes)
    return undefined
  }
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const [, code, reason = ''] = STATUS_LINE.exec(statusLine) ?? []
  if (code === undefined) throw refuse('Not a status line', bytes)
  const status = Number(code)
  const headers = parseFields(lines, bytes)
  const start = end + 4
  const isBodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304
  const content = isBodiless ? { body: Buffer.alloc(0), length: 0 } : parseContent(bytes.subarray(start), headers)
  if (content === undefined) return undefined
  if (status >= 200 && headers['date'] === undefined) throw refuse('A response without a Date', bytes)
  return { response: { status, reason, headers, body: content.body }, length: start + content.length }
}

function parseFields(lines: readonly string[], bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, field, value = ''] = FIELD_LINE.exec(line) ?? []
    if (field === undefined) throw refuse(`Not a header line: ${JSON.stringify(line)}`, bytes)
    const name = field.toLowerCase()
    if (name in headers && !REPEATABLE.includes(name)) throw refuse(`${field} is sent twice`, bytes)
    headers[name] = value
  }
  return headers
}

function parseContent(bytes: Buffer, headers: Readonly<Record<string, string>>) {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (length !== undefined && coding !== undefined) throw refuse('Content-Length beside Transfer-Encoding', bytes)
  if (coding === 'chunked') return parseChunks(bytes)
  if (coding !== undefined) throw refuse(`Unknown Transfer-Encoding ${coding}`, bytes)
  if (length === undefined || !/^\d+$/.test(length)) throw refuse(`No usable Content-Length: ${length}`, bytes)
  if (bytes.byteLength < Number(length)) return undefined
  return { body: bytes.subarray(0, Number(length)), length: Number(length) }
}

function parseChunks(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = []
  let offset = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', offset)
    if (lineEnd === -1) return undefined
    const line = bytes.toString('latin1', offset, lineEnd)
    if (!/^[\da-f]+$/i.test(line)) throw refuse(`Not the size of a chunk: ${JSON.stringify(line)}`, bytes)
    const [start, size] = [lineEnd + 2, Number.parseInt(line, 16)]
    if (bytes.byteLength < start + size + 2) return undefined
    if (bytes.toString('latin1', start + size, start + size + 2) !== '\r\n') throw refuse('A chunk without end', bytes)
    offset = start + size + 2
    if (size === 0) return { body: Buffer.concat(chunks), length: offset }
    chunks.push(bytes.subarray(start, start + size))
  }
}

function refuse(reason: string, bytes: Buffer): Error {
  return new Error(`${reason}. The bytes: ${JSON.stringify(bytes.toString('latin1', 0, 300))}`)
}

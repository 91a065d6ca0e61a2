import fc from 'fast-check'

/** A request as it is put into bytes. `SANDBOX` stands for the name of the sandbox, which is as long. */
export interface Draft {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Lines: `Name: value`. */
  readonly headers?: readonly string[]
  /** Its length is sent, unless there is a header that frames it. */
  readonly body?: string | Buffer | undefined
  /** The body is sent in chunks of these sizes, the last one repeated. */
  readonly chunks?: { readonly sizes: readonly number[]; readonly extension?: string; readonly trailers?: string }
  /** Bytes in place of all this. */
  readonly raw?: string
}

/** One request of a case, and its expected outcome. */
export interface HostileRequest extends Draft {
  /** The statuses that it may get, with an Error object; without them, it gets what `mock.fetch` responds. */
  readonly statuses?: readonly number[] | 'no fault of the server'
  /**
   * What the connection must be after the response. `either` leaves it to the server, which then has to keep its word:
   * it closes exactly where it said `Connection: close`. `open` where it is left out.
   */
  readonly after?: 'closed' | 'either'
  /** Where a fault breaks the connection: before the response, or within it; `silence`: no response ever comes. */
  readonly breaks?: 'before' | 'within' | 'silence'
  /** A fault waits for this request; if it does not come whole, nobody knows whom the fault strikes. */
  readonly isFaulted?: boolean
}

export const KEY = 'Authorization: Bearer demo-key~SANDBOX'
export const JSON_BODY = 'Content-Type: application/json'
export const LIST: Draft = { headers: [KEY] }

/** An update as a well-behaved client sends it. */
export function toUpdate(petId: number | string, quantity: number | string): Draft & { readonly body: string } {
  const body = `{"quantity":${quantity}}`
  return { method: 'PATCH', target: `/v1/inventory/${petId}`, headers: [KEY, JSON_BODY], body }
}

/** Bytes of a request; text is Latin-1 in the head and UTF-8 in the body. */
export function toBytes(draft: Draft, sandbox: string): Buffer {
  const { method = 'GET', target = '/v1/inventory', version = 'HTTP/1.1', headers = [], body, chunks, raw } = draft
  const lines = [...headers]
  if (!headers.some((line) => /^host:/i.test(line))) lines.unshift('Host: 127.0.0.1')
  const isFramed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
  if (chunks !== undefined) lines.push('Transfer-Encoding: Chunked')
  else if (body !== undefined && !isFramed) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  const head = `${[`${method} ${target} ${version}`, ...lines].join('\r\n')}\r\n\r\n`
  const content = chunks === undefined ? Buffer.from(body ?? '') : toChunks(Buffer.from(body ?? ''), chunks)
  const bytes = Buffer.concat([Buffer.from(raw ?? head, 'latin1'), raw === undefined ? content : Buffer.alloc(0)])
  return Buffer.from(bytes.toString('latin1').replaceAll('SANDBOX', sandbox), 'latin1')
}

function toChunks(bytes: Buffer, { sizes, extension = '', trailers = '' }: NonNullable<Draft['chunks']>): Buffer {
  const parts: Buffer[] = []
  for (let offset = 0, turn = 0; offset < bytes.byteLength; turn += 1) {
    const chunk = bytes.subarray(offset, offset + (sizes[Math.min(turn, sizes.length - 1)] ?? 1))
    parts.push(Buffer.from(`${chunk.byteLength.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'))
    offset += chunk.byteLength
  }
  return Buffer.concat([...parts, Buffer.from(`0${extension}\r\n${trailers}\r\n`)])
}

/** One of these, by weight. */
export function weigh<T>(...choices: readonly (readonly [weight: number, choice: fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

export function pick<T>(choices: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...choices)
}

/** What lies between white space. */
export function toWords(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

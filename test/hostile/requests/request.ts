import type { WireResponse } from '../../wire/parse-response.ts'
import type { World } from '../world.ts'

/** What is wrong with a response; `undefined` where nothing is. */
export type Violation = string | undefined

/** What the response to a request must be; carries its effect over to the model. */
export type Judge = (response: WireResponse, world: World) => Violation

/** One request of a case, and its expected outcome. */
export interface HostileRequest {
  readonly title: string
  readonly method: string
  readonly bytes: Buffer
  readonly judge: Judge
  /**
   * What the connection must be after the response. `either` leaves it to the server, which then has to keep its word:
   * it closes exactly where it said `Connection: close`.
   */
  readonly after: 'open' | 'closed' | 'either'
  /** Where a fault breaks the connection: before the response, or within it; `silence`: no response ever comes. */
  readonly breaks?: 'before' | 'within' | 'silence'
  /** A fault waits for this request; if it does not come whole, nobody knows whom the fault strikes. */
  readonly isFaulted?: boolean
  /** The possible effects if no response arrived. */
  readonly onUnanswered?: (world: World) => void
}

/** A request before it is put into bytes. */
export interface Draft {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Lines: `Name: value`. */
  readonly headers?: readonly string[]
  /** Its length is sent, unless there is a header that frames it. */
  readonly body?: string | Buffer | undefined
}

type Expectation = Partial<Omit<HostileRequest, 'bytes' | 'method'>> & Pick<HostileRequest, 'judge'>

/** A request of a case. Its connection stays open, unless it is said otherwise. */
export function toHostile(definition: Draft & Expectation): HostileRequest {
  const { method = 'GET', target = '/v1/inventory', version, headers, body, ...expectation } = definition
  return {
    title: `${method} ${target.slice(0, 60)}`,
    after: 'open',
    ...expectation,
    method,
    bytes: toBytes({ method, target, body, ...(version && { version }), ...(headers && { headers }) }),
  }
}

/** Bytes of a request; text is Latin-1 in the head and UTF-8 in the body. */
export function toBytes(draft: Draft): Buffer {
  const { method = 'GET', target = '/v1/inventory', version = 'HTTP/1.1', headers = [], body } = draft
  const lines = [...headers]
  if (!headers.some((line) => /^host:/i.test(line))) lines.unshift('Host: 127.0.0.1')
  const isFramed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
  if (body !== undefined && !isFramed) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  const head = Buffer.from(`${[`${method} ${target} ${version}`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
  return Buffer.concat([head, Buffer.from(body ?? '')])
}

export function authorize({ token }: World): string {
  return `Authorization: Bearer ${token}`
}

export const JSON_BODY = 'Content-Type: application/json'

/** An update as a well-behaved client sends it. */
export function toUpdate(world: World, petId: string, quantity: bigint): Buffer {
  const headers = [authorize(world), JSON_BODY]
  return toBytes({ method: 'PATCH', target: `/v1/inventory/${petId}`, headers, body: `{"quantity":${quantity}}` })
}

/** A body in chunks of these sizes, the last one repeated. */
export function toChunks(
  body: string | Buffer,
  { sizes, extension = '', trailers = '' }: { sizes: readonly number[]; extension?: string; trailers?: string },
): Buffer {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let offset = 0, turn = 0; offset < bytes.byteLength; turn += 1) {
    const size = Math.max(1, sizes[Math.min(turn, sizes.length - 1)] ?? 1)
    const chunk = bytes.subarray(offset, offset + size)
    parts.push(Buffer.from(`${chunk.byteLength.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'))
    offset += size
  }
  return Buffer.concat([...parts, Buffer.from(`0${extension}\r\n${trailers}\r\n`)])
}

/** What lies between white space. */
export function toWords(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** The lines of a text. */
export function toLines(text: string): readonly string[] {
  return text.trim().split(/\n\s*/)
}

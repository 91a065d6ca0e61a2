/** The service under check. */
export interface CheckedService {
  /** Its address with the base path, without a slash at the end: `http://127.0.0.1:4100/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Gives up. */
  readonly signal?: AbortSignal | undefined
}

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method: string
  /** Below the base path. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** The service did not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

const ANSWER_LIMIT_MS = 10_000

/** @throws {NoAnswer} where the service cannot be reached, breaks off, or takes longer than ten seconds. */
export async function ask(
  { url, signal }: CheckedService,
  { method, path, headers, body }: RawRequest,
): Promise<RawAnswer> {
  const limit = AbortSignal.timeout(ANSWER_LIMIT_MS)
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      // Bytes, since fetch puts a Content-Type of its own to a string.
      ...(body !== undefined && { body: new TextEncoder().encode(body) }),
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    })
    return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new NoAnswer(limit.aborted ? 'no answer within 10 seconds' : toReason(cause), { cause })
  }
}

/** fetch hides what went wrong in the cause of its error; where two addresses were tried, only a code is there. */
function toReason(error: unknown): string {
  const cause = (error as { cause?: { message?: string; code?: string } }).cause
  return cause?.message || cause?.code || String(error)
}

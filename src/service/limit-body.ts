import { ByteBudget } from '../http/byte-budget.ts'

/** The largest body that the user's handlers can read, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

/** A request whose body stream fails when it is too large. */
export interface LimitedRequest {
  readonly request: Request
  /** Whether the body was too large. */
  readonly isTooLarge: boolean
  /** Returns the body's bytes to the budget. Call it when the body is no longer read. */
  release(): void
}

/**
 * Limits the memory of request bodies that the user's handlers read. Handlers read a clone, so the bytes that they read
 * are also buffered for the original, which the operation and the journal read later.
 */
export function limitBody(request: Request, budget: ByteBudget): LimitedRequest {
  let taken = 0
  let isTooLarge = false
  const release = (): void => {
    budget.give(taken)
    taken = 0
  }
  // Firefox has no `Request.body` yet: https://bugzilla.mozilla.org/show_bug.cgi?id=1387483
  const { body } = request
  if (!body) return { request, isTooLarge, release }
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      isTooLarge = taken + chunk.byteLength > LARGEST_HANDLER_BODY || !budget.take(chunk.byteLength)
      if (isTooLarge) {
        // An `AbortError` is not logged: this is the client's mistake, not a bug.
        controller.error(new DOMException('The body is too large', 'AbortError'))
        return
      }
      taken += chunk.byteLength
      controller.enqueue(chunk)
    },
  })
  // A streaming body needs `duplex` (https://fetch.spec.whatwg.org/#requestinit), which the DOM types lack.
  const init: RequestInit & { duplex: 'half' } = { body: body.pipeThrough(limiter), duplex: 'half' }
  return {
    request: new Request(request, init),
    get isTooLarge() {
      return isTooLarge
    },
    release,
  }
}

/** The memory limit that bodies of control requests and bodies read by the user's handlers share. */
export function createUploads(): ByteBudget {
  return new ByteBudget(256 * 1024 ** 2)
}

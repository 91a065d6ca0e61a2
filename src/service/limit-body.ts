import { ByteBudget } from '../http/byte-budget.ts'

/** What a request may bring for handlers of the user's own, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

/** A request whose body ends in an error where it is too large. */
export interface LimitedRequest {
  readonly request: Request
  /** Whether it did. */
  readonly isTooLarge: boolean
  /** Gives back what the body took of the budget. To be called when nobody reads it any more. */
  release(): void
}

/**
 * The handlers read a copy of the body, and as much as they read waits for those who read the original: the contract,
 * and the journal. So what all such bodies hold together is bounded.
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
        // An abort is not logged: the client sent too much, and nothing here failed.
        controller.error(new DOMException('The body is too large', 'AbortError'))
        return
      }
      taken += chunk.byteLength
      controller.enqueue(chunk)
    },
  })
  // The DOM's types lack `duplex`, which a body that streams needs (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = { body: body.pipeThrough(limiter), duplex: 'half' }
  return {
    request: new Request(request, init),
    get isTooLarge() {
      return isTooLarge
    },
    release,
  }
}

/** What the bodies that are on their way to the control API of one mock may take together, in bytes. */
const UPLOADS_LIMIT = 256 * 1024 ** 2

/** Apart from the routes, which are loaded when the first of them is asked. */
export function createUploads(): ByteBudget {
  return new ByteBudget(UPLOADS_LIMIT)
}

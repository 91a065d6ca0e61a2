import type { Budget, Bytes } from '../http/bytes.ts'
import { clearTimeout, setTimeout } from '../http/globals.ts'
import { type Awaitable, BODY_TOO_LARGE, isPromise, type WireRequest, whenReady } from '../http/wire-request.ts'
import { LARGEST_BODY } from '../operations/operations.ts'
import type { SandboxJournal } from '../sandbox/journal.ts'
import type { Exchange } from '../sandbox/journal-entry.ts'

/** The largest body that the user's handlers can read, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

interface BodyUsers {
  /** The memory limit that all bodies larger than `LARGEST_BODY` share. */
  readonly uploads: Budget
  /** Gets a body of up to `LARGEST_BODY` bytes. */
  readonly journal: Pick<SandboxJournal, 'addBody'>
  readonly exchange: Exchange
}

/**
 * The body of a request, for the operation, the user's handlers and the journal. It is read once, and whoever reads it
 * first sets the limit.
 */
export class RequestBody {
  readonly #request: WireRequest
  readonly #users: BodyUsers
  #read: Awaitable<Bytes | typeof BODY_TOO_LARGE> | undefined
  isOverBudget = false
  /** How many bytes of `uploads` it takes. */
  #taken = 0

  constructor(request: WireRequest, users: BodyUsers) {
    this.#request = request
    this.#users = users
    this.#read = users.exchange.body
  }

  read(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    this.#read ??= this.#start(limit)
    return whenReady(this.#read, (body) => (body !== BODY_TOO_LARGE && body.byteLength > limit ? BODY_TOO_LARGE : body))
  }

  /**
   * Reads the body for the journal, also where the response does not need it, as with a fault or a 401. A client that
   * disconnects in the meantime is not an error.
   * @returns A promise if the body is still arriving.
   */
  readForJournal(limit: number = LARGEST_BODY): Promise<unknown> | undefined {
    if (this.#users.exchange.body !== undefined) return undefined
    // A client that expects a 100 (Continue) sends no body after an early response.
    const read = this.#request.header('expect') === undefined ? this.read(limit) : this.#read
    return isPromise(read) ? read.catch(() => {}) : undefined
  }

  /**
   * Waits for the body, so that the journal has it before the client has the response. Inside a process it arrives soon,
   * unless the client holds it back until it has the response.
   */
  waitForJournal(): Awaitable<unknown> {
    const read = this.readForJournal()
    const arrived = read && this.#request.readArrived?.()
    if (read === undefined || arrived !== undefined) return read && Promise.race([read, arrived])
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1000)
      void read.then(() => resolve(clearTimeout(timer)))
    })
  }

  /** Returns what it took of `uploads`, once it is read. */
  release(): void {
    const give = (): void => this.#users.uploads.give(this.#taken)
    if (isPromise(this.#read)) void this.#read.then(give, give)
    else give()
  }

  #start(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    const { uploads, journal, exchange } = this.#users
    const take = (bytes: number): boolean => {
      this.isOverBudget = !uploads.take(bytes)
      if (!this.isOverBudget) this.#taken += bytes
      return !this.isOverBudget
    }
    return whenReady(this.#request.readBody(limit, limit > LARGEST_BODY ? { take } : undefined), (body) => {
      if (body !== BODY_TOO_LARGE && body.byteLength <= LARGEST_BODY) journal.addBody(exchange, body)
      return body
    })
  }
}

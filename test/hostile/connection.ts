import type { Socket } from 'node:net'
import type { WireResponse } from '../wire/parse-response.ts'
import { ConnectionEnded, openRawClient } from '../wire/raw-client.ts'
import { SECRET } from './requests/bad-values.ts'

/** What comes next on a connection. */
export type Next = { readonly response: WireResponse } | { readonly ended: 'closed' | 'reset'; readonly rest: Buffer }

/** A connection whose bytes are read by the strict parser. */
export interface HostileConnection extends Disposable {
  readonly socket: Socket
  /** Rejects if the bytes are not a response, or nothing arrives for too long. */
  next(method: string): Promise<Next>
  /** Received bytes that are not parsed yet. */
  rest(): Buffer
  /** Resolves when the other side has closed. @throws {Error} if it never does. */
  ended(): Promise<'closed' | 'reset'>
}

/** Longer than the server's own limits, so that only a missing response times out. */
const PATIENCE_MS = 15_000

/** Opens a connection that keeps reading after its own FIN. */
export async function openConnection(port: number): Promise<HostileConnection> {
  const client = await openRawClient(port)
  const wait = async <Value>(awaited: Promise<Value>, what: string): Promise<Value> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const complain = () => reject(new Error(`Nothing comes, and ${what}. There is: ${toText(client.rest())}`))
    const timer = setTimeout(complain, PATIENCE_MS)
    return await Promise.race([awaited, promise]).finally(() => clearTimeout(timer))
  }
  return {
    socket: client.socket,
    rest: client.rest,
    async next(method) {
      try {
        const response = await wait(client.next(method), `a response to ${method} is due`)
        const { reason, headers, body } = response
        const told = [reason, JSON.stringify(headers), body].some((part) => part.includes(SECRET))
        if (told) throw new Error(`A response repeats a credential: ${JSON.stringify(headers)} ${toText(body)}`)
        return { response }
      } catch (error) {
        if (error instanceof ConnectionEnded) return { ended: error.ended, rest: error.rest }
        throw error
      }
    },
    ended: () => wait(client.ended, 'the server is to close the connection'),
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

/** Bytes as a report shows them. */
export function toText(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, 600))
  return bytes.byteLength > 600 ? `${text}… (${bytes.byteLength} bytes)` : text
}

import { connect, type Socket } from 'node:net'
import { parseResponse, type WireResponse } from '../wire/parse-response.ts'
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

/** Opens a connection that sends each write as a separate packet, and keeps reading after its own FIN. */
export async function openConnection(port: number): Promise<HostileConnection> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return followSocket(socket)
}

/** The same over a connection that is open already. */
export function followSocket(socket: Socket): HostileConnection {
  const chunks: Buffer[] = []
  let ending: 'closed' | 'reset' | undefined
  let wake: (() => void) | undefined
  const end = (how: 'closed' | 'reset'): void => {
    ending ??= how
    wake?.()
  }
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    wake?.()
  })
  socket.on('error', () => end('reset'))
  socket.on('end', () => end('closed'))
  socket.on('close', () => end('closed'))

  const rest = (): Buffer => {
    if (chunks.length > 1) chunks.splice(0, chunks.length, Buffer.concat(chunks))
    return chunks[0] ?? Buffer.alloc(0)
  }
  const wait = async (what: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(
      () => reject(new Error(`Nothing comes, and ${what}. There is: ${toText(rest())}`)),
      PATIENCE_MS,
    )
    wake = resolve
    await promise.finally(() => clearTimeout(timer))
    wake = undefined
  }
  const nextOfAny = async (method: string): Promise<Next> => {
    for (;;) {
      const bytes = rest()
      const parsed = bytes.byteLength > 0 ? parseResponse(bytes, method) : undefined
      if (parsed !== undefined) {
        const told = bytes.subarray(0, parsed.length).indexOf(SECRET)
        if (told !== -1) {
          const around = bytes.subarray(Math.max(0, told - 300), told + 100)
          throw new Error(`A response repeats a credential: ${toText(around)}`)
        }
        chunks.splice(0, chunks.length, bytes.subarray(parsed.length))
        return { response: parsed.response }
      }
      if (ending !== undefined) return { ended: ending, rest: bytes }
      await wait(`a response to ${method} is due`)
    }
  }
  return {
    socket,
    rest,
    async next(method) {
      for (;;) {
        const next = await nextOfAny(method)
        if (!('response' in next) || next.response.status >= 200) return next
      }
    },
    async ended() {
      while (ending === undefined) await wait('the server is to close the connection')
      return ending
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Bytes as a report shows them. */
export function toText(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, 600))
  return bytes.byteLength > 600 ? `${text}… (${bytes.byteLength} bytes)` : text
}

import type { Socket } from 'node:net'
import { Interceptor } from '@mswjs/interceptors'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { SocketInterceptor } from '@mswjs/interceptors/net'
import { setImmediate } from '../../http/globals.ts'
import { watchFakedTicks } from './watch-faked-ticks.ts'

/** States of a socket's controller. */
const PENDING = 0
const PASSTHROUGH = 2

/**
 * Prepares the sockets of this process for the interceptor of their requests: it waits for a ClientRequest that is late to
 * send its head, frees closed sockets, and leaves connections that speak HTTP/2, or whose server speaks first, to the
 * network. Emits nothing itself.
 */
export class ClientSockets extends Interceptor<Record<never, never>> {
  static override readonly symbol: symbol = Symbol.for('petstore-mock.client-sockets')

  protected override predicate(): boolean {
    return true
  }

  protected override setup(): void {
    const sockets = Interceptor.singleton(SocketInterceptor)
    for (const each of [sockets, Interceptor.singleton(ClientRequestInterceptor)]) {
      each.apply(this)
      this.subscriptions.push(() => each.dispose(this))
    }
    const ended = new AbortController()
    this.subscriptions.push(() => ended.abort(), watchFakedTicks())
    sockets.on(
      'connection',
      ({ socket, connectionOptions, controller }) => {
        // The interceptor's `_destroy` leaves the handle open, which keeps the socket and its requests in memory: `respondWith` in
        // https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/http/source.ts
        // The handle of a connection to the network closes by itself.
        socket.once('close', () => {
          if (controller.readyState !== PASSTHROUGH) socket._handle?.close()
        })
        emitErrorFirst(socket, () => controller.readyState !== PASSTHROUGH)
        if (isHttp2(socket, connectionOptions)) return void controller.passthrough()
        // Makes an HTTP/2 session that starts later write through the socket, which then leaves it to the network.
        Object.defineProperty(socket._handle ?? {}, 'isStreamBase', { value: false })
        let isWritten = false
        socket.once('data', (chunk) => {
          isWritten = true
          // The first words of HTTP/2. The handshake with the server is still to come.
          if (chunk.toString('latin1', 0, 4) === 'PRI ') Object.assign(connectionOptions, { ALPNProtocols: ['h2'] })
        })
        onRead(socket, () => {
          // A ClientRequest takes the socket before it reads, and an agent leaves `null` when it frees the socket. The first
          // write alone does not tell: that of parallel requests comes before the listener above.
          // https://github.com/nodejs/node/blob/v24.18.0/lib/_http_agent.js
          const isAwaited = isWritten || socket.destroyed || socket._httpMessage !== undefined
          if (controller.readyState === PENDING && !isAwaited) controller.passthrough()
        })
      },
      ended,
    )
  }
}

/**
 * Makes a socket that a client destroys emit its error before `close`, as Node does. The `_destroy` that the interceptor sets
 * with each response emits it after, so that node:http reports `socket hang up` first: `respondWith` in
 * https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/http/source.ts
 */
function emitErrorFirst(socket: Socket, isMocked: () => boolean): void {
  let current = socket._destroy
  Object.defineProperty(socket, '_destroy', {
    configurable: true,
    get: () => current,
    set: (destroy: Socket['_destroy']) => {
      current = function (this: Socket, error, callback) {
        if (error === null || !isMocked()) return destroy.call(this, error, callback)
        process.nextTick(() => this.emit('error', error))
        destroy.call(this, null, callback)
      }
    },
  })
}

/**
 * Whether a new connection speaks only HTTP/2. @mswjs/interceptors 0.45.12 waits for its first bytes for ever, because a
 * session takes the handle from its socket (https://github.com/mswjs/interceptors/issues/485). A session is recognized by
 * its listener: https://github.com/nodejs/node/blob/v24.18.0/lib/internal/http2/core.js
 */
function isHttp2(socket: Socket, options: object): boolean {
  const isOffered = 'ALPNProtocols' in options && String(options.ALPNProtocols) === 'h2'
  return isOffered || socket.listeners('error').some(({ name }) => name === 'socketOnError')
}

/** Calls back, a turn later, when somebody reads from the socket. */
function onRead(socket: Socket, callback: () => void): void {
  const onListener = (event: string | symbol): unknown => event === 'data' && setImmediate(callback)
  socket.on('newListener', onListener)
  if (socket.listenerCount('data') > 0) onListener('data')
}

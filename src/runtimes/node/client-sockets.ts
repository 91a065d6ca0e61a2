import type { Socket } from 'node:net'
import { Interceptor } from '@mswjs/interceptors'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { SocketInterceptor } from '@mswjs/interceptors/net'

/**
 * Prepares the sockets of this process for the interceptor of their requests: it waits for a ClientRequest that is late to
 * send its head, and connections that speak HTTP/2 go to the network. Emits nothing itself.
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
    this.subscriptions.push(() => ended.abort())
    sockets.on(
      'connection',
      ({ socket, connectionOptions, controller }) => {
        if (isHttp2(socket, connectionOptions)) controller.passthrough()
        // Makes an HTTP/2 session that starts later write through the socket, which then leaves it to the network.
        else Object.defineProperty(socket._handle ?? {}, 'isStreamBase', { value: false })
      },
      ended,
    )
  }
}

/**
 * Whether a new connection speaks only HTTP/2. @mswjs/interceptors 0.45.12 waits for its first bytes for ever, because a
 * session takes the handle from its socket (https://github.com/mswjs/interceptors/issues/485). A session is recognized by
 * its listener: https://github.com/nodejs/node/blob/v24.18.0/lib/internal/http2/core.js
 */
function isHttp2(socket: Socket, options: object): boolean {
  // A list of names, or bytes that start with the length of the only name.
  const isOffered = 'ALPNProtocols' in options && ['h2', '\x02h2'].includes(String(options.ALPNProtocols))
  return isOffered || socket.listeners('error').some(({ name }) => name === 'socketOnError')
}

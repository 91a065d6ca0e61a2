// @mswjs/http-middleware with msw 2, the last that it works with.

import { importPeer } from '../builds.ts'
import { createHandWrittenHandlers } from './hand-written-handlers.ts'

interface Middleware {
  createServer(...handlers: readonly unknown[]): { listen(port: number, host: string): void }
}

const { createServer } = await importPeer<Middleware>('@mswjs/http-middleware')
const msw = await importPeer<typeof import('msw')>('msw')
createServer(...createHandWrittenHandlers(msw, '*/v1')).listen(Number(process.argv[2]), '127.0.0.1')

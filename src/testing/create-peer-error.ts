import { MockError } from '../http/mock-error.ts'

/** An optional peer, and the entry that needs it. */
interface Peer {
  readonly name: string
  readonly entry: string
}

/** Says what to install if a peer is missing; otherwise returns the error of loading the peer as it is. */
export function createPeerError(cause: unknown, { name, entry }: Peer): unknown {
  const isMissing =
    cause instanceof Error &&
    'code' in cause &&
    (cause.code === 'ERR_MODULE_NOT_FOUND' || cause.code === 'MODULE_NOT_FOUND') &&
    cause.message.includes(`'${name}'`)
  if (!isMissing) return cause
  return new MockError(
    'PEER_MISSING',
    `Failed to load ${entry}: ${name} is not installed. Install it: npm install --save-dev ${name}`,
    { cause },
  )
}

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Call, createRules, type Reply, type Rules, type Shop } from './stranger-rules.ts'

/** A service written from the specification alone, and how it differs from a plain one. */
export interface Stranger {
  readonly name: string
  /** The sentence of the specification that the service breaks, or that allows what it does. */
  readonly because: string
  /** `petId:quantity:status`, separated by spaces. @default STOCK */
  readonly stock?: string
  /** Why the defect itself makes it impossible to put the stock back. */
  readonly irreparable?: string
  /** How long to wait for a response, in milliseconds, where one never comes. @default 10_000 */
  readonly responseLimitMs?: number
  readonly rules: (shop: Shop, plain: Rules) => Partial<Rules> & ThisType<Rules>
}

export interface RunningStranger extends AsyncDisposable {
  readonly url: string
  readonly key: string
  readonly petIds: readonly string[]
  /** What the service really stores, as `petId:quantity:status`, sorted. */
  readonly stored: () => string[]
  /** Called with the number of each request, from 1, and its request line, before it is carried out. */
  onRequest: (count: number, line: string) => void
}

/** Ids with gaps, beyond 32 bits, and two that are one as doubles. All statuses, and a pet that is sold out. */
const STOCK =
  '3:12:available 4:7:pending 11:0:sold 2147483659:250:available 9007199254740992:3:pending 9007199254740993:41:available'

export async function startStranger({ stock = STOCK, rules: differ }: Stranger): Promise<RunningStranger> {
  const shop: Shop = { key: 'Kx7-open-Sesame.42', pets: stock.split(' ').filter(Boolean).map(toPet) }
  const plain = createRules(shop)
  const rules: Rules = { ...plain, ...differ(shop, plain) }
  let count = 0
  const server = createServer(async (request, response) => {
    count += 1
    running.onRequest(count, `${request.method} ${request.url}`)
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const call = toCall(request, Buffer.concat(chunks))
    await rules.send(response, await rules.around(call, () => respond(call, rules)), call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const running: RunningStranger = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: shop.key,
    petIds: shop.pets.map(({ id }) => `${id}`),
    stored: () => shop.pets.map(({ id, quantity, status }) => `${id}:${quantity}:${status}`).sort(),
    onRequest: () => {},
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return running
}

/** Routes below the base path. */
async function respond(call: Call, rules: Rules): Promise<Reply> {
  if (!call.path.startsWith('/v1/')) return rules.unknownRoute(call)
  const [, , area, petId, ...rest] = call.path.split('/')
  if (area !== 'inventory') return isNamed(call) ? rules.named(call) : rules.unknownRoute(call)
  if (petId === undefined) return call.method === 'GET' ? rules.list(call) : rules.wrongMethod(call)
  if (rest.length > 0) return rules.unknownRoute(call)
  return call.method === 'PATCH' ? rules.update(call, decodeURIComponent(petId)) : rules.wrongMethod(call)
}

function isNamed({ method, path }: Call): boolean {
  return method === 'GET' && (path === '/v1/store/orders' || /^\/v1\/pets\/[^/]+$/.test(path))
}

function toCall(
  request: { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders; socket: Socket },
  bytes: Buffer,
): Call {
  const url = new URL(request.url ?? '/', 'http://stranger')
  return {
    method: request.method ?? '',
    path: url.pathname,
    headers: request.headers,
    body: bytes.toString('utf8'),
    socket: request.socket,
  }
}

function toPet(text: string) {
  const [id = '', quantity = '', status = ''] = text.split(':')
  return { id: BigInt(id), quantity: Number(quantity), status }
}

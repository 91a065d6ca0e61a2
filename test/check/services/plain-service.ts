import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Pet {
  /** In decimal, because a number cannot hold every int64. */
  readonly petId: string
  quantity: number
  status: string
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly socket: Socket
}

export interface Reply {
  readonly status: number
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Pets as `petId:quantity:status`. */
export function stock(text: string): Pet[] {
  return text.split(' ').map((pet) => {
    const [petId = '', quantity, status = ''] = pet.split(':')
    return { petId, quantity: Number(quantity), status }
  })
}

export type PlainService = ReturnType<typeof createPlainService>

/** Returns the steps that differ. `base` has the steps of the plain service. */
export type Vary = (base: Readonly<PlainService>, service: PlainService) => Partial<PlainService>

/** A sound inventory service that shares no code with `src`. Every step can be replaced. */
function createPlainService() {
  const service = {
    apiKey: 'Plain-Key-7',
    pets: stock('1:12:available 2:3:pending 3:0:sold 12:1250:available 7:40:available'),
    closed: false,

    serve: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request).catch(() => undefined)
      // The client is gone.
      if (body === undefined) return
      const { method = '', url = '', headers, socket } = request
      const [path = '', query] = url.split('?', 2)
      const call = { method, path, query: new URLSearchParams(query), headers, body, socket }
      service.send(await service.answer(call), response, call)
    },
    answer: async (call: Call): Promise<Reply> => {
      try {
        return await service.route(call)
      } catch (error) {
        return service.refuse(error instanceof Refusal ? error : new Refusal(500, 'internal', 'Something broke'), call)
      }
    },
    route: (call: Call): Reply | Promise<Reply> => {
      const match = service.match(call.path)
      if (!match) throw new Refusal(404, 'no_route', 'There is nothing at this path')
      const [, id] = match
      const allow = id === undefined ? 'GET, HEAD' : 'PATCH'
      if (!allow.split(', ').includes(call.method)) {
        return { ...service.refuse(new Refusal(405, 'wrong_method', `Use ${allow}`), call), headers: { allow } }
      }
      service.checkKey(call)
      return id === undefined ? service.list(call) : service.update(id, call)
    },
    match: (path: string) => /^\/v1\/inventory(?:\/([^/]+))?$/.exec(path),

    checkKey: (call: Call): void => {
      const token = service.toToken(call)
      if (service.isKey(token)) return
      throw new Refusal(401, token === undefined ? 'no_key' : 'wrong_key', 'The API key is missing or invalid')
    },
    toToken: (call: Call) => /^bearer +([\w.~+/-]+=*)$/i.exec(call.headers.authorization ?? '')?.[1],
    isKey: (token: string | undefined): boolean => token === service.apiKey,

    list: (call: Call): Reply => {
      return { status: 200, body: `[${service.read(call).map((pet) => service.show(pet))}]` }
    },
    read: (_call: Call): Pet[] => service.pets,

    update: async (id: string, call: Call): Promise<Reply> => {
      const petId = service.parseId(id)
      const quantity = service.parseQuantity(service.parseBody(call))
      const pet = service.find(petId)
      const before = { ...pet }
      await service.write(pet, quantity, call)
      return { status: 200, body: service.show(service.confirm(before, quantity)) }
    },
    parseId: (id: string): string => {
      if (/^(0|-?[1-9]\d*)$/.test(id) && BigInt.asIntN(64, BigInt(id)) === BigInt(id)) return id
      throw new Refusal(400, 'bad_id', 'The petId is not an int64')
    },
    parseBody: (call: Call): unknown => {
      const isJson = /^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? '')
      if (!isJson) throw new Refusal(400, 'bad_type', 'Send application/json')
      try {
        return JSON.parse(call.body)
      } catch {
        throw new Refusal(400, 'bad_json', 'The body is not JSON')
      }
    },
    parseQuantity: (body: unknown): number => {
      const quantity = toQuantity(body)
      if (quantity === undefined) throw new Refusal(400, 'no_quantity', 'The quantity is missing')
      if (!Number.isSafeInteger(quantity)) throw new Refusal(400, 'bad_quantity', 'The quantity is not an integer')
      return Number(quantity)
    },
    find: (petId: string): Pet => {
      const pet = service.pets.find((candidate) => candidate.petId === petId)
      if (!pet) throw new Refusal(404, 'no_pet', 'There is no such pet')
      return pet
    },
    write: (pet: Pet, quantity: number, _call: Call): void | Promise<void> => service.store(pet, quantity),
    store: (pet: Pet, quantity: number): void => {
      pet.quantity = quantity
    },
    /** The pet in the response of an update. */
    confirm: (before: Pet, quantity: number): Pet => ({ ...before, quantity }),

    show: (pet: Pet): string => {
      const fields = Object.entries(service.toFields(pet)).map(([name, json]) => `"${name}":${json}`)
      return `{${fields.join(',')}}`
    },
    /** The properties of a pet as JSON texts. */
    toFields: ({ petId, quantity, status }: Pet): Record<string, string> => {
      return { petId, quantity: String(quantity), status: JSON.stringify(status) }
    },
    refuse: ({ status, code, message }: Refusal, _call: Call): Reply => {
      const headers = status === 401 ? { 'www-authenticate': 'Bearer realm="store"' } : {}
      return { status, body: JSON.stringify({ code, message, status }), headers }
    },
    send: ({ status, body, headers }: Reply, response: ServerResponse, _call: Call): void => {
      const length = Buffer.byteLength(body)
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(body)
    },

    snapshot: (): Pet[] => service.pets.map((pet) => ({ ...pet })),
    later: (delayMs: number, action: () => void): void => {
      setTimeout(() => service.closed || action(), delayMs).unref()
    },
  }
  return service
}

export async function startService(vary: Vary = () => ({})) {
  const service = createPlainService()
  Object.assign(service, vary({ ...service }, service))
  let count = 0
  // Closing idle connections races with clients that reuse them: on a busy machine, a request would get no response.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    count += 1
    running.onRequest(count, `${request.method} ${request.url}`)
    void service.serve(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const running = {
    /** With the base path `/v1`. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: service.apiKey,
    /** The quantities that the service really has, by petId. */
    stock: (): Readonly<Record<string, number>> =>
      Object.fromEntries(service.pets.map(({ petId, quantity }) => [petId, quantity])),
    /** The pets that the service really has. */
    pets: (): Pet[] => service.snapshot(),
    /** Called with the number of each request, from 1, and its request line, before it is carried out. */
    onRequest: (_count: number, _line: string): void => {},
    async [Symbol.asyncDispose](): Promise<void> {
      service.closed = true
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return running
}

export function toQuantity(body: unknown): unknown {
  return body instanceof Object && 'quantity' in body ? body.quantity : undefined
}

/** Whether a request is of an operation that the specification only names. */
export function isNamed({ path }: Call): boolean {
  return /^\/v1\/(?:store\/orders|pets\/[^/]+)$/.test(path)
}

/** A list with an ETag, or a 304 for the same one. */
export function answerWithEtag(reply: Reply, { headers }: Call, parts: readonly unknown[]): Reply {
  const etag = `"${parts.join('-')}"`
  return headers['if-none-match'] === etag
    ? { status: 304, body: '', headers: { etag } }
    : { ...reply, headers: { etag } }
}

/** A function that returns 1, then 2 and so on. */
export function createCounter(): () => number {
  let count = 0
  return () => {
    count += 1
    return count
  }
}

export interface Variation {
  /** What is wrong, or what is special about a sound service. */
  readonly sentence: string
  readonly restorable: boolean
  readonly vary: Vary
}

export function define(sentence: string, vary: Vary): Variation {
  return { sentence, restorable: true, vary }
}

/** A variation in which the old quantity may not come back, or not stay, when its update is repeated for some seconds. */
export function defineLasting(sentence: string, vary: Vary): Variation {
  return { sentence, restorable: false, vary }
}

/** Refusals whose status and code match get another status, and a page of HTML instead of an Error object. */
export function refuseAs(status: number, pattern: RegExp, page?: string): Vary {
  return (base) => ({
    refuse: (refusal, call) => {
      if (!pattern.test(`${refusal.status} ${refusal.code}`)) return base.refuse(refusal, call)
      if (page !== undefined) return { status, body: page, headers: { 'content-type': 'text/html' } }
      return base.refuse(new Refusal(status, refusal.code, refusal.message), call)
    },
  })
}

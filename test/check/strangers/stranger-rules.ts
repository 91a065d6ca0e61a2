import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Pet {
  id: bigint
  quantity: number
  status: string
}

/** What a service knows. */
export interface Shop {
  readonly key: string
  pets: Pet[]
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly socket: Socket
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Each decision of a service, so that a stranger can make one of them differently. */
export interface Rules {
  isAuthorized(call: Call): boolean
  /** The key check, in front of the operations. */
  guard(call: Call): Reply | undefined
  list(call: Call): Reply | Promise<Reply>
  update(call: Call, petId: string): Reply | Promise<Reply>
  readPetId(text: string): bigint | undefined
  /** `undefined` is a 400. */
  readQuantity(body: unknown, call: Call): number | undefined
  find(id: bigint): Pet | undefined
  store(pet: Pet, quantity: number, call: Call): void | Promise<void>
  listed(): readonly Pet[]
  printListed(pet: Pet): string
  printUpdated(pet: Pet, quantity: number): string
  printList(items: readonly string[]): string
  fail(status: number, call: Call): Reply
  named(call: Call): Reply
  wrongMethod(call: Call): Reply
  unknownRoute(call: Call): Reply
  around(call: Call, next: () => Promise<Reply>): Reply | Promise<Reply>
  send(response: ServerResponse, reply: Reply, call: Call): void | Promise<void>
}

const MESSAGES: Readonly<Record<number, readonly [string, string]>> = {
  400: ['bad_request', 'The body must be a JSON object with an integer quantity'],
  401: ['unauthorized', 'A valid API key is needed'],
  404: ['not_found', 'There is no such pet'],
  405: ['method_not_allowed', 'Method not allowed'],
  501: ['not_implemented', 'Not implemented'],
}

/** A plain service that does what the specification says. */
export function createRules(shop: Shop): Rules {
  return {
    isAuthorized: ({ headers }) => /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] === shop.key,
    guard(call) {
      return this.isAuthorized(call) ? undefined : this.fail(401, call)
    },
    list(call) {
      return this.guard(call) ?? json(200, this.printList(this.listed().map((pet) => this.printListed(pet))))
    },
    async update(call, petId) {
      const refused = this.guard(call)
      if (refused) return refused
      const id = this.readPetId(petId)
      const quantity = this.readQuantity(parseJson(call.body), call)
      if (id === undefined || quantity === undefined) return this.fail(400, call)
      const pet = this.find(id)
      if (!pet) return this.fail(404, call)
      await this.store(pet, quantity, call)
      return json(200, this.printUpdated(pet, quantity))
    },
    readPetId: (text) =>
      /^(0|-?[1-9]\d*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? BigInt(text) : undefined,
    readQuantity(body) {
      const quantity = quantityIn(body)
      return typeof quantity === 'number' && Number.isSafeInteger(quantity) ? quantity + 0 : undefined
    },
    find: (id) => shop.pets.find((pet) => pet.id === id),
    store(pet, quantity) {
      pet.quantity = quantity
    },
    listed: () => shop.pets,
    printListed: printPet,
    printUpdated: printPet,
    printList: (items) => `[${items.join(',')}]`,
    fail: (status) => failure(status),
    named(call) {
      return this.guard(call) ?? this.fail(501, call)
    },
    wrongMethod(call) {
      return this.fail(405, call)
    },
    unknownRoute(call) {
      return this.fail(404, call)
    },
    around: (_, next) => next(),
    send: sendPlainly,
  }
}

export function json(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

export function failure(status: number, changes: Readonly<Record<string, unknown>> = {}): Reply {
  const [code, message] = MESSAGES[status] ?? ['error', 'Something is wrong']
  return json(status, JSON.stringify({ code, message, status, ...changes }))
}

export function printPet({ id, quantity, status }: Pet): string {
  return `{"petId":${id},"quantity":${quantity},"status":"${status}"}`
}

/** `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `undefined` where there is none. */
export function quantityIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && 'quantity' in body
    ? body.quantity
    : undefined
}

/** Sends a reply as most servers do: with its length, over a connection that stays open. */
export function sendPlainly(response: ServerResponse, { status, headers, body }: Reply): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, status === 204 ? headers : { 'content-length': bytes.byteLength, ...headers })
  response.end(status === 204 ? undefined : bytes)
}

import { readFileSync } from 'node:fs'
import { Agent, request as sendOverTcp } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { ROOT } from './root.ts'

/** A request as it goes over the wire; the path lies below the base path. */
export interface WireRequest {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
  /** @default 'demo-key' */
  readonly apiKey?: string
}

export interface WirePet {
  readonly petId: number
  readonly quantity: number
  readonly status: string
}

export const BASE_PATH = '/v1'
const API_KEY = 'demo-key'
export const AUTHORIZATION: string = `Bearer ${API_KEY}`

/** The ten pets that everybody serves. */
export const TEN_PETS = readTenPets()

export const GET_LIST: WireRequest = { method: 'GET', path: '/inventory' }

/** Sets the stock of the second pet. */
export const PATCH_ONE: WireRequest = toPatch(2, 20)

export function toPatch(petId: number, quantity: number): WireRequest {
  return { method: 'PATCH', path: `/inventory/${petId}`, body: JSON.stringify({ quantity }) }
}

export function toHeaders({ body, apiKey = API_KEY }: WireRequest): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
}

function readTenPets(): readonly WirePet[] {
  const text = readFileSync(new URL('fixtures/default.json', ROOT), 'utf8')
  return (JSON.parse(text) as { inventory: WirePet[] }).inventory
}

const PRIME = 7919

/** The ids of generated pets, from 1, in an order that leaves none out and keeps neighbours apart. */
export function toSpreadPetId(turn: number, pets: number): number {
  return 1 + ((turn * PRIME) % pets)
}

/** What came back. */
export interface WireAnswer {
  readonly status: number
  readonly body: Buffer
}

/** Sends one request; `base` is a server's address with its base path. */
export function send(base: string, request: WireRequest, agent?: Agent): Promise<WireAnswer> {
  const { method, path, body } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method, headers: { ...toHeaders(request), ...length }, ...(agent !== undefined && { agent }) }
  return new Promise((resolve, reject) => {
    const outgoing = sendOverTcp(base + path, options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    outgoing.on('error', reject).end(body)
  })
}

/** Asks for the same thing again and again over one connection. */
interface TimedClient extends Disposable {
  /** What one answer takes, in milliseconds; `prepare` comes before each and is not timed. */
  measure(base: string, work: TimedWork): Promise<number>
}

interface TimedWork {
  readonly request: WireRequest
  readonly count: number
  readonly prepare?: () => Promise<void>
}

export function createTimedClient(): TimedClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async measure(base, { request, count, prepare = async () => {} }) {
      let time = 0
      for (let done = 0; done < count; done += 1) {
        await prepare()
        const start = performance.now()
        const { status } = await send(base, request, agent)
        time += performance.now() - start
        if (status !== 200) throw new Error(`Failed to measure: an answer had status ${status}.`)
      }
      return time / count
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/**
 * That both sides do the same work.
 * @throws {Error} where status or bytes differ; `json` compares what the bytes say, for peers that indent.
 */
export function assertSameAnswer(name: string, sides: { ours: WireAnswer; theirs: WireAnswer; json?: boolean }): void {
  const { ours, theirs, json = false } = sides
  if (ours.status !== 200) throw new Error(`Failed to measure: the mock answered with status ${ours.status}.`)
  const isSame = json ? isDeepStrictEqual(read(ours), read(theirs)) : ours.body.equals(theirs.body)
  if (theirs.status === ours.status && isSame) return
  const got = `${theirs.status} ${theirs.body.toString().slice(0, 200)}`
  throw new Error(`Failed to measure: ${name} does not answer what the mock answers, but ${got}`)
}

function read({ body }: WireAnswer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return body.toString()
  }
}

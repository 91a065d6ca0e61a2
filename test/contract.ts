import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../src/index.ts'
import { CONTRACT } from './contract-cases.ts'

/** A request as a client would write it. `{key}` in a header stands for a key of the case's own sandbox. */
export interface WireRequest {
  readonly method: string
  /** Below the server's address: `/v1/inventory`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** A response as a client sees it. */
export interface WireAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One way to reach a mock. */
export interface Connection {
  send(request: WireRequest): Promise<WireAnswer>
  close?(): Promise<void> | void
}

/** The client to test. */
export interface ContractOptions {
  readonly name: string
  /** Makes a mock reachable; each group of cases has its own. */
  connect(mock: Mock): Promise<Connection> | Connection
  /** Cases that this client cannot send, each with the reason. */
  readonly cannot?: Readonly<Record<string, string>>
}

// Headers of the transport, which differ by nature.
export const TRANSPORT_HEADERS = /^(connection|date|keep-alive|transfer-encoding|access-control-.*|x-powered-by)$/

/** The behaviours that every runtime must show, each compared byte for byte with `mock.fetch`. */
export function describeContract({ name, connect, cannot = {} }: ContractOptions): void {
  describe(`contract over ${name}`, () => {
    for (const group of CONTRACT) {
      describe(group.title, () => {
        let connection: Connection
        let reference: Connection
        beforeAll(async () => {
          connection = await connect(createMock(group.options))
          reference = connectFetch(createMock(group.options))
        })
        afterAll(() => connection?.close?.())

        for (const [index, { title, exchanges }] of group.cases.entries()) {
          const reason = cannot[title]
          test.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (${reason})`, async () => {
            const key = `${group.options.apiKeys?.[0] ?? 'demo-key'}~case-${index}`
            for (const { request, expected } of exchanges) {
              const sent = withKey(request, key)
              const answer = await connection.send(sent)
              expect(answer).toMatchObject(expected)
              expect(toComparable(answer)).toEqual(toComparable(await reference.send(sent)))
            }
          })
        }
      })
    }
  })
}

/** The mock as a function: the reference for all other runtimes. */
export function connectFetch(mock: Pick<Mock, 'fetch'>, origin = 'http://petstore.example'): Connection {
  return {
    async send({ method, path, headers, body }) {
      return toWireAnswer(await mock.fetch(origin + path, { method, headers, ...(body !== undefined && { body }) }))
    },
  }
}

export async function toWireAnswer(response: Response): Promise<WireAnswer> {
  const { status, statusText } = response
  return { status, statusText, headers: Object.fromEntries(response.headers), body: await response.text() }
}

export function withKey(request: WireRequest, key: string): WireRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, value.replace('{key}', key)])
  return { ...request, headers: Object.fromEntries(headers) as Record<string, string> }
}

function toComparable({ headers, ...answer }: WireAnswer): unknown {
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSPORT_HEADERS.test(name))),
  }
}

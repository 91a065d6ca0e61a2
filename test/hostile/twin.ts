import { randomUUID } from 'node:crypto'
import { createMock } from '../../src/index.ts'
import { TRANSPORT_HEADERS } from '../contract.ts'
import type { WireResponse } from '../wire/parse-response.ts'
import { type Draft, LIST } from './requests/request.ts'

/** A sandbox of the server, and the same one in a mock of this process: both get the same requests. */
export interface Twin {
  /** The name of both, as long as `SANDBOX`. */
  readonly sandbox: string
  /** The bearer token that opens them. */
  readonly token: string
  /** Sends a request to the mock here. @returns How the server's response differs. */
  compare(request: Draft, response: WireResponse): Promise<string | undefined>
  /** Requests that the server did not respond to: it may have carried out the first of them, or none. */
  skip(requests: readonly Draft[]): Promise<void>
  /** @returns How the server's list differs from all that it may be. */
  compareList(list: string): Promise<string | undefined>
  /** Whether a fault got no response, or may wait for a request that did not come. The sandbox must be given up. */
  isForgotten: boolean
}

/** A hop's own, or ours alone. */
const NOT_SENT = /^(?:host|content-length|transfer-encoding|connection|expect):/i
/** What differs from run to run. */
const VOLATILE = /^\/_mock\/(?:journal|health)/

export function createTwin(sandbox: string = `h${randomUUID().slice(0, 6)}`): Twin {
  const mock = createMock()
  const controls = mock.sandbox(sandbox)
  /** What the mock here had before each request that got no response. */
  let states: ReturnType<typeof controls.snapshot>[] = []

  const send = ({ method = 'GET', target = '/v1/inventory', headers = [], body }: Draft): Promise<Response> => {
    const lines = headers.filter((line) => !NOT_SENT.test(line))
    const url = target.startsWith('/') ? `http://127.0.0.1${target}` : target
    return mock.fetch(url.replaceAll('SANDBOX', sandbox), {
      method,
      headers: lines.map((line) => {
        const [name = '', ...value] = line.split(':')
        return [name, value.join(':').trim().replaceAll('SANDBOX', sandbox)] as [string, string]
      }),
      ...(!['GET', 'HEAD'].includes(method) && { body: typeof body === 'object' ? new Uint8Array(body) : body }),
    } as RequestInit)
  }

  return {
    sandbox,
    token: `demo-key~${sandbox}`,
    isForgotten: false,
    async compare(request, { status, headers, body }) {
      const expected = await send(request)
      const wanted = await expected.text()
      // The sandbox here exists from the beginning; the server creates its own with the first change.
      if (expected.status === 200 && status === 404 && body.includes('"unknown_sandbox"')) return undefined
      if (status !== expected.status) return `Got ${status} ${body}, wanted ${expected.status} ${wanted}`
      const wrong = [...expected.headers].find(
        ([name, value]) =>
          !TRANSPORT_HEADERS.test(name) && headers[name] !== value && !VOLATILE.test(request.target ?? ''),
      )
      if (wrong !== undefined) return `Got ${wrong[0]}: ${headers[wrong[0]]}, wanted ${wrong[1]}`
      const isSame = VOLATILE.test(request.target ?? '') || body.toString() === wanted
      return isSame ? undefined : `Got ${body}, wanted ${wanted}`
    },
    async skip(requests) {
      for (const request of requests) {
        states.push(controls.snapshot())
        await send(request)
      }
    },
    async compareList(list) {
      const wanted: string[] = []
      for (const state of [controls.snapshot(), ...states]) {
        controls.restore(state)
        wanted.push(await (await send(LIST)).text())
        if (wanted.at(-1) !== list) continue
        states = []
        return undefined
      }
      return `The list is ${list}, and must be ${wanted.join(' or ')}`
    },
  }
}

import { type Agent, request as sendOverTcp } from 'node:http'
import { toHeaders, type WireRequest } from './wire.ts'

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

// The least that `node:http` can do: the key is checked, a body is read and parsed, and the same bytes go out.
// Compiled before it is started, so that it does not pay for the removal of its types.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const LONGEST_TEXT = 65_536

const [port, listFile = '', itemFile = ''] = process.argv.slice(2)
const list = readBytes(listFile)
const item = readBytes(itemFile)

createServer((request, response) => {
  if (request.headers.authorization !== 'Bearer demo-key') return answer(response, 401, '{}')
  if (request.method === 'GET') return answer(response, 200, list)
  readBody(request, (body) => {
    const { quantity } = JSON.parse(body.toString()) as { quantity?: unknown }
    if (Number.isInteger(quantity)) return answer(response, 200, item)
    answer(response, 400, '{}')
  })
}).listen(Number(port), '127.0.0.1')

function readBody(request: IncomingMessage, use: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => use(Buffer.concat(chunks)))
}

function answer(response: ServerResponse, status: number, body: Buffer | string): void {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  }
  response.writeHead(status, headers).end(body)
}

/** Node sends a short text in one piece with its headers, which is faster; a long one it would encode each time. */
function readBytes(file: string): Buffer | string {
  const bytes = readFileSync(file)
  return bytes.byteLength > LONGEST_TEXT ? bytes : bytes.toString()
}

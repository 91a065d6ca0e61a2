// The least that `node:http` can do: the key is checked, a body is read and parsed, and the same bytes go out.
// Compiled before it is started, so that it does not pay for the removal of its types.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const [port, listFile = '', itemFile = ''] = process.argv.slice(2)
const list = readFileSync(listFile)
const item = readFileSync(itemFile)

createServer((request, response) => {
  if (request.headers.authorization !== 'Bearer demo-key') return answer(response, 401, Buffer.from('{}'))
  if (request.method === 'GET') return answer(response, 200, list)
  readBody(request, (body) => {
    const { quantity } = JSON.parse(body.toString()) as { quantity?: unknown }
    if (Number.isInteger(quantity)) return answer(response, 200, item)
    answer(response, 400, Buffer.from('{}'))
  })
}).listen(Number(port), '127.0.0.1')

function readBody(request: IncomingMessage, use: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => use(Buffer.concat(chunks)))
}

function answer(response: ServerResponse, status: number, body: Buffer): void {
  const headers = { 'content-type': 'application/json', 'content-length': body.byteLength, 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(body)
}

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli, startCli } from './run-cli.ts'

describe('petstore-mock record of a service that', () => {
  test('drips ends when its time is over', async () => {
    const url = await listen((_request, response) => {
      response.write('[')
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await runCli('record', url, '--timeout', '1')).toEqual({
      code: 2,
      out: '',
      err: `petstore-mock: ${url} did not send its whole response in 1 s. Raise the limit with --timeout.`,
    })
  })

  test('says nothing ends when its time is over', async () => {
    const url = await listen(() => {})
    expect(await runCli('record', url, '--timeout', '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('in 1 s'),
    })
  })

  test('sends without an end ends at 64 MB', async () => {
    const url = await listen((_request, response) => {
      const chunk = ' '.repeat(1024 ** 2)
      response.write('[')
      const fill = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', fill)
      fill()
    })
    expect(await runCli('record', url)).toEqual({
      code: 2,
      out: '',
      err: `petstore-mock: ${url}/v1/inventory is larger than 64 MB, too large to record.`,
    })
  })

  test('redirects is refused, and its address, which may hold a password, is not repeated', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(302, { location: 'http://u:MARKPW@127.0.0.1/x?token=MARKTOK' }).end()
    })
    const { code, err } = await runCli('record', url)
    expect([code, err]).toEqual([2, expect.stringContaining('responded with 302 instead of 200')])
    expect(err).not.toContain('MARK')
  })

  test('breaks off says so', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('[', () => response.destroy())
    })
    expect(await runCli('record', url)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^petstore-mock: .*\/v1\/inventory closed the connection before the end of its response: [^\n]+\.$/,
      ),
    })
  })

  test('keeps one waiting ends with Ctrl-C, and 130', async () => {
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const url = await listen((_request, response) => {
      response.write('[')
      asked()
    })
    const run = startCli('record', url)
    await isAsked
    expect([await run.stop(), run.out(), run.err()]).toEqual([130, '', ''])
  })

  test.each<[string | Buffer, string]>([
    ['[],"description":"x"', 'is not JSON'],
    ['[]}', 'is not JSON'],
    ['[] []', 'is not JSON'],
    ['[', 'is not JSON'],
    ['', 'is not JSON'],
    ['<html></html>', 'is not JSON'],
    ['['.repeat(100_000), 'nested more than 1000 levels deep'],
    ['{"inventory":[]}', 'must be a list of pets, got {"inventory":[]} (object)'],
    ['null', 'must be a list of pets, got null (null)'],
    ['1e400', 'must be a list of pets, got 1e400 (number)'],
    ['[1]', 'inventory[0]: must be an object with petId, quantity, status, got 1 (number)'],
    ['[{"petId":"1","quantity":1,"status":"sold"}]', 'inventory[0].petId: must be a number, got "1" (string)'],
    ['[{"petId":9223372036854775808,"quantity":1,"status":"sold"}]', 'inventory[0].petId: must be an int64'],
    ['[{"petId":{"toString":1},"quantity":1,"status":"sold"}]', 'inventory[0].petId: must be an int64'],
    ['[{"petId":1,"quantity":1.5,"status":"sold"}]', 'inventory[0].quantity: must be an integer'],
    ['[{"petId":1,"quantity":1,"status":"gone"}]', 'inventory[0].status: must be one of'],
    ['[{"petId":1,"quantity":1}]', 'inventory[0].status: is required'],
    [`[${Array(101).fill(1).join(',')}]`, 'inventory[99]: must be an object'],
    [`[${Array(101).fill(1).join(',')}]`, '/v1/inventory: and 1 more'],
    [Buffer.from([0x5b, 0xff, 0x5d]), 'is not UTF-8'],
    [Buffer.from('\uFEFF[]', 'utf16le'), 'is not UTF-8'],
  ])('lists %o is refused by name', async (body, message) => {
    const url = await listen((_request, response) => void response.end(body))
    const { code, out, err } = await runCli('record', url)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`petstore-mock: ${url}/v1/inventory: `)
    expect(err).toContain(message)
    expect(err).not.toContain('    at ')
  })

  test('lists ids beyond 2^53 gives them exactly', async () => {
    const ids = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '9007199254740992', '0']
    const pets = ids.map((petId) => `{"petId":${petId},"quantity":1.0,"status":"sold"}`)
    const url = await listen((_request, response) => void response.end(`\uFEFF[${pets.join(' ,\n')}]`))
    const { code, out } = await runCli('record', url)
    const { inventory } = JSON.parse(out) as { inventory: { petId: unknown }[] }
    expect([code, inventory.map(({ petId }) => String(petId))]).toEqual([0, ids])
  })
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

import { readdir } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli, startCli } from './run-cli.ts'

const names = await readdir(new URL('../../dist/demo/', import.meta.url))

/** Starts `demo` on a free port; resolves with its address when it answers. */
async function startDemo(...flags: string[]) {
  const run = startCli('demo', '--port', '0', ...flags)
  const url = await vi.waitFor(() => {
    const [, address] = /serves the demo at (\S+)/.exec(run.out()) ?? []
    if (address === undefined) throw new Error(`No address in: ${run.out()}${run.err()}`)
    return address
  })
  return { ...run, url }
}

describe('petstore-mock demo', () => {
  test('says where the demo is and what becomes of its state, and ends with 0', async () => {
    const { out, err, stop, url } = await startDemo()
    expect(out()).toMatch(
      /^petstore-mock \d+\.\d+\.\d+ serves the demo at http:\/\/127\.0\.0\.1:\d+\/\n {2}state {4}stays /,
    )
    expect(await stop()).toBe(0)
    expect(err()).toBe('')
    await expect(fetch(url)).rejects.toThrow()
  })

  test('--open opens it in the browser', async () => {
    const { opened, url } = await startDemo('--open')
    await vi.waitFor(() => expect(opened).toEqual([url]))
  })

  test.each([
    ['', 'text/html; charset=utf-8'],
    ['index.html', 'text/html; charset=utf-8'],
    ['worker.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    [find(/^demo-.*\.js$/), 'text/javascript; charset=utf-8'],
    [find(/^demo-.*\.css$/), 'text/css; charset=utf-8'],
    ['THIRD-PARTY-LICENSES.txt', 'text/plain; charset=utf-8'],
  ])('GET /%s is %s', async (name, type) => {
    const { url } = await startDemo()
    const answer = await fetch(url + name)
    const { headers } = answer
    expect([answer.status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; /)
    expect(headers.get('content-length')).toBe(String((await answer.bytes()).byteLength))
    const head = await fetch(url + name, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'))
  })

  test.each(['nothing.js', '../package.json', '..%2Fbin.js', '%2e%2e/bin.js', 'worker.js/', 'v1/inventory', '_mock/'])(
    'GET /%s is 404',
    async (path) => {
      const { url } = await startDemo()
      expect((await fetch(url + path)).status).toBe(404)
    },
  )

  test('POST / is 405', async () => {
    const { url } = await startDemo()
    const answer = await fetch(url, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('a port that is taken is one sentence, and exit code 2', async () => {
    await using other = await serve(createMock())
    expect(await runCli('demo', '--port', String(other.port))).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^petstore-mock: Failed to start the server: port \d+ on 127\.0\.0\.1 is taken\. .*$/),
    })
  })

  test('beyond loopback it says that browsers want https', async () => {
    const { out } = await startDemo('--host', '0.0.0.0')
    expect(out()).toMatch(/https .*from other machines.*only over https/)
  })

  test('--help shows its flags', async () => {
    const { code, out } = await runCli('demo', '--help')
    expect(code).toBe(0)
    for (const word of ['offline demo', '--port', '4101', '--host', '--open']) expect(out).toContain(word)
  })
})

function find(pattern: RegExp): string {
  return names.find((name) => pattern.test(name)) ?? `no file ${pattern}`
}

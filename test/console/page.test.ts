import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { type ServeOptions, serve } from '../../src/runtimes/server.ts'

const FILES = {
  '/_mock/': 'text/html; charset=utf-8',
  '/_mock/console.js': 'text/javascript; charset=utf-8',
  '/_mock/console.css': 'text/css; charset=utf-8',
  '/_mock/icon.svg': 'image/svg+xml',
}

async function ask(path: string, { server: options, ...init }: RequestInit & { server?: ServeOptions } = {}) {
  await using server = await serve(createMock(), options)
  const response = await fetch(server.url + path, { redirect: 'manual', ...init })
  return { response, text: await response.text() }
}

describe('the files of the console', () => {
  test.each(Object.entries(FILES))('GET %s is %s', async (path, type) => {
    const { response, text } = await ask(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /)
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  test.each(Object.keys(FILES))('HEAD %s has the headers of GET, and no body', async (path) => {
    const [head, get] = [await ask(path, { method: 'HEAD' }), await ask(path)]
    expect([head.response.status, head.text]).toEqual([200, ''])
    expect(head.response.headers.get('content-length')).toBe(get.response.headers.get('content-length'))
  })

  test('GET /_mock leads to /_mock/, relative, with its query', async () => {
    const { response } = await ask('/_mock?sandbox=a')
    expect([response.status, response.headers.get('location')]).toEqual([308, '_mock/?sandbox=a'])
  })

  test('POST /_mock/ is 405', async () => {
    const { response } = await ask('/_mock/', { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([
    '/_mock/index.htm',
    '/_mock/../package.json',
    '/_mock/..%2Fbin.js',
    '/_mock/console.js/',
    '/_mock/toString',
  ])('GET %s is 404', async (path) => {
    expect((await ask(path)).response.status).toBe(404)
  })

  test('are off where the control API is off', async () => {
    expect((await ask('/_mock/', { server: { control: false } })).response.status).toBe(404)
    expect((await ask('/_mock/', { server: { host: '0.0.0.0' } })).response.status).toBe(404)
  })

  test('need no control token, which the data does', async () => {
    const server = { controlToken: 'secret' }
    expect((await ask('/_mock/', { server })).response.status).toBe(200)
    expect((await ask('/_mock/console.js', { server })).response.status).toBe(200)
    expect((await ask('/_mock/state', { server })).response.status).toBe(401)
  })

  test('are not for pages of other origins', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    expect((await ask('/_mock/', { headers })).response.status).toBe(403)
  })

  test('have addresses that lead to their own origin alone, whatever path they lie below', async () => {
    const { text } = await ask('/_mock/')
    const addresses = Array.from(text.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address)
    expect(addresses).toEqual(['icon.svg', 'console.css', 'console.js'])
  })

  test('are small: the script is below 60 KB, compressed', async () => {
    const script = await readFile(new URL('../../dist/console/console.js', import.meta.url))
    expect(gzipSync(script).byteLength).toBeLessThan(60_000)
  })
})

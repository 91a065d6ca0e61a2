import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type ServeOptions, serve } from '../../src/runtimes/server.ts'

const FILES = {
  '/_mock/': 'text/html; charset=utf-8',
  '/_mock/console.js': 'text/javascript; charset=utf-8',
  '/_mock/console.css': 'text/css; charset=utf-8',
  '/_mock/icon.svg': 'image/svg+xml',
}

interface AskOptions extends RequestInit {
  readonly server?: ServeOptions
  readonly mock?: MockOptions
}

async function ask(path: string, { server: options, mock: mockOptions, ...init }: AskOptions = {}) {
  const mock = createMock(mockOptions)
  await using server = await serve(mock, options)
  const response = await fetch(server.url + path, { redirect: 'manual', ...init })
  return { response, text: await response.text(), mock }
}

describe('the files of the console', () => {
  test.each(Object.entries(FILES))('GET and HEAD %s are %s', async (path, type) => {
    const { response, text } = await ask(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /)
    expect(text.length).toBeGreaterThan(100)
    const head = await ask(path, { method: 'HEAD' })
    expect([head.response.status, head.text]).toEqual([200, ''])
    expect(head.response.headers.get('content-length')).toBe(response.headers.get('content-length'))
  })

  test.each([
    ['/', 302, '_mock/'],
    ['/?sandbox=a', 302, '_mock/?sandbox=a'],
    ['/_mock?sandbox=a', 308, '_mock/?sandbox=a'],
  ])('GET %s leads with %i to the console, relative, and is not recorded', async (path, status, location) => {
    const { response, mock } = await ask(path)
    expect([response.status, response.headers.get('location')]).toEqual([status, location])
    expect((await ask(path, { method: 'HEAD' })).response.status).toBe(status)
    expect(mock.journal.entries).toEqual([])
  })

  test('GET / is 404 where the console is off, and where the service lies at the root', async () => {
    for (const options of [{ server: { control: false } }, { server: { host: '0.0.0.0' } }, { mock: { baseUrl: '/' } }])
      expect((await ask('/', options)).response.status).toBe(404)
  })

  test.each([
    ['/favicon.ico', 'image/svg+xml'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ])('GET %s is %s, and is not recorded', async (path, type) => {
    for (const server of [{}, { control: false }]) {
      const { response, mock } = await ask(path, { server })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(mock.journal.entries).toEqual([])
    }
    expect((await ask(path, { mock: { baseUrl: '/' } })).response.status).toBe(404)
    expect((await ask(path, { method: 'POST' })).response.status).toBe(404)
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

  test('are not for pages of other origins', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    expect((await ask('/_mock/', { headers })).response.status).toBe(403)
  })

  test('have addresses that lead to their own origin alone, whatever path they lie below', async () => {
    const { text } = await ask('/_mock/')
    const addresses = Array.from(text.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address)
    expect(addresses).toEqual(['icon.svg', 'console.css', 'console.js'])
  })

  test('are small: what the first load needs is below 45 KB, compressed', async () => {
    const files = ['index.html', 'icon.svg', 'console.css', 'console.js']
    const read = (name: string) => readFile(new URL(`../../dist/console/${name}`, import.meta.url))
    const sizes = await Promise.all(files.map(async (name) => gzipSync(await read(name)).byteLength))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(45_000)
  })
})

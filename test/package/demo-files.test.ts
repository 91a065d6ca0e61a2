import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBuilt } from '../demo/serve-folder.ts'

const built = await readBuilt()
const names = [...built.keys()]
const read = (name: string): string => built.get(name) ?? ''

describe('the files of the demo', () => {
  test('are small: the scripts of the page beside msw are below 80 KB, compressed', () => {
    // The documents of the two APIs come when somebody asks the API for them.
    const own = names.filter((name) => name.endsWith('.js') && !/^(msw-.*|worker|.*document\.gen-.*)\.js$/.test(name))
    const sizes = own.map((name) => gzipSync(read(name)).byteLength)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000)
  })

  test('have no mutants, which no page can choose', () => {
    expect(names.filter((name) => read(name).includes('this mock is the mutant'))).toEqual([])
  })

  test('have msw in a file of its own', () => {
    const [msw = ''] = names.filter((name) => name.startsWith('msw-'))
    expect(read(msw)).toContain('INTEGRITY_CHECK_REQUEST')
  })

  test('have addresses that are relative, so that they work in any folder', () => {
    const html = read('index.html')
    const addresses = Array.from(html.matchAll(/(?:src|href)="([^"]*)"/g), ([, address = '']) => address)
    expect(addresses).toHaveLength(4)
    expect(addresses.filter((address) => !names.includes(address))).toEqual([])
  })

  test('tell the browser to ask their own origin and nobody else', () => {
    expect(read('index.html')).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'self';/)
  })

  test('are all kept by the worker, but for itself and the licences, which no page asks for', () => {
    const worker = read('worker.js')
    const kept = names.filter((name) => worker.includes(`"${name}"`))
    const apart = ['THIRD-PARTY-LICENSES.txt', 'index.html', 'worker.js']
    expect(kept.sort()).toEqual(names.filter((name) => !apart.includes(name)).sort())
  })

  test('have the licences of what is built in beside them', () => {
    const text = read('THIRD-PARTY-LICENSES.txt')
    for (const name of ['msw', '@mswjs/data', '@mswjs/interceptors', 'preact', 'tough-cookie'])
      expect(text).toMatch(new RegExp(`(^|\\n)${name} \\d`))
  })
})

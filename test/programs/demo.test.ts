import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runCli, runCliIn, startCli } from '../cli/run-cli.ts'
import { makeFolder } from '../cli/state-folder.ts'

const BUILT = new URL('../../dist/demo/', import.meta.url)
const names = await readdir(BUILT)
const NAMES = join(import.meta.dirname, '../recipes/names.json')

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

function readData(page: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="demo-data">(.*)<\/script>/.exec(page) ?? []
  return JSON.parse(json)
}

async function writeNames(text: string, name = 'names.json'): Promise<string> {
  const file = join(await makeFolder(), name)
  await writeFile(file, text)
  return file
}

describe('petstore-mock demo', () => {
  test('says where the demo is and what becomes of its state, opens it with --open, and ends with 0', async () => {
    const { out, err, stop, url, opened } = await startDemo('--open')
    expect(out()).toMatch(
      /^petstore-mock \d+\.\d+\.\d+ serves the demo at http:\/\/127\.0\.0\.1:\d+\/\n {2}state {4}stays /,
    )
    await vi.waitFor(() => expect(opened).toEqual([url]))
    expect([await stop(), err()]).toEqual([0, ''])
    await expect(fetch(url)).rejects.toThrow()
  })

  const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', txt: 'text/plain' }
  const types = Object.fromEntries(
    names.map((name) => {
      const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES]
      return [name, type === undefined ? 'image/svg+xml' : `${type}; charset=utf-8`]
    }),
  )

  test('has its files, each with its type and length, and a policy for pages', async () => {
    const { url } = await startDemo()
    const seen: Record<string, string | null> = {}
    for (const name of names) {
      const response = await fetch(url + name)
      const head = await fetch(url + name, { method: 'HEAD' })
      const { byteLength } = await response.bytes()
      seen[name] = response.headers.get('content-type')
      expect([name, response.status, head.status, await head.text()]).toEqual([name, 200, 200, ''])
      expect(response.headers.get('content-security-policy'), name).toMatch(/^default-src 'self'; /)
      for (const { headers } of [response, head]) expect(headers.get('content-length')).toBe(String(byteLength))
    }
    expect(seen).toEqual(types)
    expect(await (await fetch(url)).text()).toBe(await (await fetch(`${url}index.html`)).text())
  })

  test('has data of your own, such as the names of docs/console.md', async () => {
    const { url } = await startDemo('--names', NAMES, '--title', 'Our pets')
    expect(readData(await (await fetch(url)).text())).toMatchObject({
      title: 'Our pets',
      names: { 1: { name: 'Goldfish', price: '$4' }, 2: { name: 'Canary' } },
      fixtures: { default: expect.stringContaining('"petId": 2') },
    })
  })

  test('has nothing else, and is only read', async () => {
    const { url } = await startDemo()
    for (const path of ['nothing.js', '../package.json', '..%2Fbin.js', '%2e%2e/bin.js', 'worker.js/', 'v1/inventory'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
    const response = await fetch(url, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('petstore-mock demo build', () => {
  test('writes the files of the demo, with the data in its page and a new name for its worker', async () => {
    const folder = await makeFolder()
    const fixture = join(folder, 'pets.yaml')
    await writeFile(fixture, 'inventory: [{ petId: 9223372036854775807, quantity: 40, status: sold }]')
    const site = join(folder, 'site')
    const title = 'Ann & Bob’s <shop>'
    const flags = `-o ${site} -f ${fixture} -f sold-out -k shop-key`.split(' ')
    const run = await runCli('demo', 'build', ...flags, '--title', title)
    const out = expect.stringContaining(`Wrote the demo with pets.yaml, sold-out into ${site}`)
    expect(run).toEqual({ code: 0, err: '', out })
    expect((await readdir(site)).sort()).toEqual(names.sort())
    const page = await readFile(join(site, 'index.html'), 'utf8')
    expect(page).toContain('<title>Ann &amp; Bob’s &lt;shop></title>')
    expect(page.split('<shop>')).toHaveLength(1)
    expect(readData(page)).toEqual({
      id: expect.stringMatching(/^[\w-]{8}$/),
      title,
      apiKey: 'shop-key',
      fixtures: {
        'pets.yaml': expect.stringContaining('"petId": "9223372036854775807"'),
        'sold-out': expect.stringContaining('"petId": 10'),
      },
    })
    const worker = await readFile(join(site, 'worker.js'), 'utf8')
    expect(worker).toMatch(/^self\.demoData = '[\w-]{8}';\n/)
    expect(worker).toContain(await readFile(new URL('worker.js', BUILT), 'utf8'))
  })

  test('puts the names and prices of a file into the page, also those of large ids and of a YAML file', async () => {
    const folder = await makeFolder()
    const names = await writeNames('9223372036854775807: { name: Ann, price: € 5 }\n1: { name: Bob }', 'names.yaml')
    const args = ['demo', 'build', '-o', folder, '-f', 'default', '-f', 'int64-edges', '--names', names]
    expect(await runCli(...args)).toMatchObject({ code: 0, err: '' })
    expect(readData(await readFile(join(folder, 'index.html'), 'utf8'))).toMatchObject({
      names: { '9223372036854775807': { name: 'Ann', price: '€ 5' }, '1': { name: 'Bob' } },
    })
  })

  test.each([
    ['{ "1": { "name": "Rex", "prize": "$4" } }', '1.prize is not known. Did you mean price? Known: name, price.'],
    ['{ "1": { "price": "$4" } }', '1.name is required.'],
    ['{ "1": { "name": "Rex", "price": 4 } }', '1.price must be a string, got 4 (number).'],
    ['{ "1": "Rex" }', '1 must be an object with name, price, got "Rex" (string).'],
    ['"Rex"', 'the file must be an object: { "1": { "name": "Goldfish", "price": "$4" } }, got "Rex" (string).'],
    ['[{ "petId": 1, "name": "Rex" }]', '0.petId is not known. Known: name, price.'],
    ['{ "11": { "name": "Rex" } }', 'no pet 11 is in default, low-stock.'],
    ['{ "01": { "name": "Rex" } }', 'no pet 01 is in default, low-stock.'],
  ])('refuses the names %s', async (text, message) => {
    const names = await writeNames(text)
    const args = ['demo', 'build', '-o', await makeFolder(), '-f', 'default', '-f', 'low-stock', '--names', names]
    const err = `petstore-mock: --names: ${names}: ${message}`
    expect(await runCli(...args)).toEqual({ code: 2, out: '', err })
  })

  test('gives other data another name, and the same data the same files', async () => {
    const folder = await makeFolder()
    const build = async (...flags: readonly string[]): Promise<string[]> => {
      await runCliIn({ PETSTORE_MOCK_API_KEY: 'shop-key' }, 'demo', 'build', '-o', folder, ...flags)
      return Promise.all(['worker.js', 'index.html'].map((name) => readFile(join(folder, name), 'utf8')))
    }
    const first = await build()
    expect(first[1]).toContain('"apiKey":"shop-key"')
    expect(await build()).toEqual(first)
    expect((await build('--title', 'Other'))[0]).not.toBe(first[0])
  })

  test('replaces files of others only with --force', async () => {
    const folder = await makeFolder()
    const page = join(folder, 'index.html')
    await writeFile(page, '<h1>Mine</h1>')
    const err = `petstore-mock: --output: ${folder} has other files. Choose another, or replace its files with --force.`
    expect(await runCli('demo', 'build', '-o', folder)).toEqual({ code: 2, out: '', err })
    expect(await readFile(page, 'utf8')).toBe('<h1>Mine</h1>')
    expect(await runCli('demo', 'build', '-o', folder, '--force')).toMatchObject({ code: 0 })
    expect(await runCli('demo', 'build', '-o', join(page, 'site'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--output: .*site cannot be written \(ENOTDIR: /),
    })
  })

  test.each([
    [[], '--output is required'],
    [['-o', 'x', '-f', 'default', '-f', 'default'], 'two of them are named default'],
    [['-o', 'x', '-f', 'nope.json'], 'nope.json cannot be read (ENOENT: '],
    [['-o', 'x', '--key', 'two words'], 'API key 1 (9 characters) is invalid'],
  ])('%j is refused', async (args, message) => {
    const err = expect.stringContaining(message)
    expect(await runCli('demo', 'build', ...args)).toMatchObject({ code: 2, err })
  })
})

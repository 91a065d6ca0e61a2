import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli, runCliIn } from './run-cli.ts'

const BUILT = new URL('../../dist/demo/', import.meta.url)

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function readData(page: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="demo-data">(.*)<\/script>/.exec(page) ?? []
  return JSON.parse(json)
}

describe('petstore-mock demo build', () => {
  test('writes the files of the demo, with the data in its page and a new name for its worker', async () => {
    const folder = await makeFolder()
    const fixture = join(folder, 'pets.yaml')
    await writeFile(fixture, 'inventory: [{ petId: 9223372036854775807, quantity: 40, status: sold }]')
    const site = join(folder, 'site')
    const title = 'Ann & Bob’s <shop>'
    const run = await runCli('demo', 'build', '-o', site, '-f', fixture, '--title', title, '--key', 'shop-key')
    expect(run).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`Wrote the demo with 1 pet into ${site}`),
    })
    expect((await readdir(site)).sort()).toEqual((await readdir(BUILT)).sort())
    const page = await readFile(join(site, 'index.html'), 'utf8')
    expect(page).toContain('<title>Ann &amp; Bob’s &lt;shop></title>')
    expect(page.split('<shop>')).toHaveLength(1)
    expect(readData(page)).toEqual({
      id: expect.stringMatching(/^[\w-]{8}$/),
      title,
      apiKey: 'shop-key',
      name: 'pets.yaml',
      fixture: expect.stringContaining('"petId": "9223372036854775807"'),
    })
    const worker = await readFile(join(site, 'worker.js'), 'utf8')
    expect(worker).toMatch(/^self\.demoData = '[\w-]{8}';\n/)
    expect(worker).toContain(await readFile(new URL('worker.js', BUILT), 'utf8'))
  })

  test('gives other data another name, and the same data the same files', async () => {
    const folder = await makeFolder()
    const read = async (...flags: readonly string[]) => {
      await runCli('demo', 'build', '-o', folder, ...flags)
      return [await readFile(join(folder, 'worker.js'), 'utf8'), await readFile(join(folder, 'index.html'), 'utf8')]
    }
    const first = await read()
    expect(await read()).toEqual(first)
    const [titled] = await read('--title', 'Other')
    expect(titled).not.toBe(first[0])
  })

  test.each(['PETSTORE_MOCK_KEY', 'PETSTORE_MOCK_API_KEY'])('takes its key from %s', async (variable) => {
    const site = join(await makeFolder(), 'site')
    expect((await runCliIn({ [variable]: 'shop-key' }, 'demo', 'build', '-o', site)).code).toBe(0)
    expect(await readFile(join(site, 'index.html'), 'utf8')).toContain('"apiKey":"shop-key"')
  })

  test('replaces files of others only with --force, and names them', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'index.html'), '<h1>Mine</h1>')
    expect(await runCli('demo', 'build', '-o', folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `--output: ${folder} has other files. Choose another folder, or pass --force, which replaces index.html.`,
      ),
    })
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('<h1>Mine</h1>')
    expect(await runCli('demo', 'build', '-o', folder, '--force')).toMatchObject({ code: 0 })
  })

  test.each([
    [[], /output/],
    [['-o', 'x', '-f', 'nope.json'], /nope\.json cannot be read \(ENOENT: /],
    [['-o', 'x', '--key', 'two words'], /API key 1 \(9 characters\) is invalid/],
  ])('demo build %j is refused', async (args, message) => {
    expect(await runCli('demo', 'build', ...args)).toMatchObject({ code: 2, err: expect.stringMatching(message) })
  })

  test('a folder that cannot be written is named', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    expect(await runCli('demo', 'build', '-o', join(file, 'site'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--output: .*site cannot be written \(ENOTDIR: /),
    })
  })
})

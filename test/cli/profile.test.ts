import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runCli, startServe } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

describe('petstore-mock serve --profile', () => {
  async function write(name: string, content: string): Promise<string> {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }

  test.each([
    ['profile.json', '{"description":"Theirs","malformedPetId":404,"quantity":{"min":0}}'],
    ['profile.yaml', 'malformedPetId: 404\nquantity: { min: 0 }\n'],
  ])('%s decides as its service does', async (name, content) => {
    const { url } = await startServe('--profile', await write(name, content))
    const update = (path: string, quantity: number): Promise<Response> =>
      fetch(`${url}/inventory/${path}`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
        body: JSON.stringify({ quantity }),
      })
    expect((await update('abc', 1)).status).toBe(404)
    expect((await update('1', -1)).status).toBe(400)
    expect((await update('1', 0)).status).toBe(200)
  })

  test('a renamed code does not hide what the log says about a key', async () => {
    const file = await write('codes.json', '{"codes":{"401":"NO_KEY"}}')
    const { url, out } = await startServe('--profile', file)
    expect(await (await fetch(`${url}/inventory`)).json()).toMatchObject({ code: 'NO_KEY' })
    await vi.waitFor(() => expect(out()).toContain('Send authorization: Bearer demo-key'))
  })

  test.each([
    ['nowhere.json', undefined, /--profile: .*nowhere\.json cannot be read \(ENOENT: /],
    ['a.json', '{"challange":"omit"}', /--profile: .*a\.json: challange is not known\. Did you mean challenge\?/],
    ['b.json', '[]', /--profile: .*b\.json: the file must be an object with \$schema, description, order/],
    ['c.json', '{"order":"400, 404"}', /--profile: .*c\.json: order must be one of "401, 400, 404", /],
    ['d.json', '{', /d\.json: is not JSON: .*line 1 column 2/],
  ])('%s with %j is refused', async (name, content, message) => {
    const file = content === undefined ? join(folder, name) : await write(name, content)
    expect(await runCli('--port', '0', '--profile', file)).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(message),
    })
  })
})

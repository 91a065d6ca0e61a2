import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPrism, type PrismProgram } from '../../src/check/prism/find-prism.ts'
import { startPrism } from '../../src/check/prism/start-prism.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const NOWHERE = 'http://127.0.0.1:1'
const MODULE = new URL('../../src/check/prism/start-prism.ts', import.meta.url).href

describe('startPrism', () => {
  test('answers when it resolves, and no more when it is closed', async () => {
    await using server = await serve(createMock())
    const prism = await startPrism({ upstream: `${server.url}/v1` })
    const response = await fetch(`${prism.url}/inventory`, { headers: { authorization: 'Bearer demo-key' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('sl-violations')).toBeNull()
    await prism.close()
    await prism.close()
    await expect(fetch(prism.url)).rejects.toThrow()
  })

  test('neither keeps its process running nor outlives it, and leaves no file', async () => {
    using folder = createFolder()
    const start = `const { url } = await startPrism({ upstream: '${NOWHERE}' }); console.log(url);`
    using ending = runScript(start, folder.path)
    using staying = runScript(`${start} setInterval(() => {}, 1000)`, folder.path)
    const [ended, url] = await Promise.all([once(ending.child, 'exit'), readLine(staying.child)])
    expect(ended).toEqual([0, null])
    expect((await fetch(url)).status).toBe(500)
    staying.child.kill('SIGKILL')
    await expect.poll(() => isListening(url)).toBe(false)
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('tells what Prism said where it ends', async () => {
    using folder = createFolder()
    const script = join(folder.path, 'prism.mjs')
    writeFileSync(script, `console.error('No operations found in', process.argv[2]); process.exitCode = 3`)
    await expect(startPrism({ upstream: NOWHERE, find: () => ({ script, version: '0.0.0' }) })).rejects.toMatchObject({
      name: 'MockError',
      code: 'CHECK_FAILED',
      message: 'Failed to start Prism: it ended with code 3. It said:\nNo operations found in proxy',
    })
  })

  test('gives up when it is told to', async () => {
    const reason = new Error('enough')
    const abort = new AbortController()
    const find = (): PrismProgram => {
      // It is started next, and takes longer than one turn of the event loop.
      setImmediate(() => abort.abort(reason))
      return findPrism()
    }
    const start = startPrism({ upstream: NOWHERE, signal: abort.signal, find })
    await expect(start).rejects.toBe(reason)
    await expect(startPrism({ upstream: NOWHERE, signal: abort.signal })).rejects.toBe(reason)
  })
})

function createFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'start-prism-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs a script that knows `startPrism` in a process of its own, which ends with the test. */
function runScript(script: string, folder: string): Disposable & { readonly child: ChildProcess } {
  const module = `import { startPrism } from ${JSON.stringify(MODULE)}; ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', module], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: folder },
  })
  return { child, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

async function readLine({ stdout }: ChildProcess): Promise<string> {
  const [line] = (await once(stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
  return String(line).trim()
}

async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

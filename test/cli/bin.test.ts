import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))
const isWindows = process.platform === 'win32'

// Windows has no signals that a process could answer with an orderly end.
describe.skipIf(isWindows)('the program as a process', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 on %s, after finishing what is in flight', async (signal) => {
    const { child, url } = await startBin()
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode('{"quantity":'))
        // The answer to another request shows that the server has this one's beginning too.
        await fetch(`${url}/inventory`)
        child.kill(signal)
        await new Promise((resolve) => setTimeout(resolve, 100))
        stream.enqueue(new TextEncoder().encode('7}'))
        stream.close()
      },
    })
    const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit
    const answer = await fetch(`${url}/inventory/1`, init)
    expect([answer.status, await answer.json()]).toEqual([200, { petId: 1, quantity: 7, status: 'available' }])
    expect((await once(child, 'exit'))[0]).toBe(0)
  })

  test('a second signal ends it at once', async () => {
    const { child, url } = await startBin()
    const never = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) })
    const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
    const pending = fetch(`${url}/inventory/1`, {
      method: 'PATCH',
      headers,
      body: never,
      duplex: 'half',
    } as RequestInit)
    const rejected = expect(pending).rejects.toThrow()
    await (await fetch(`${url}/inventory`)).text()
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 100))
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(130)
    await rejected
  })
})

async function startBin(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--log', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout as NonNullable<ChildProcess['stdout']>)
  const [line] = (await once(lines, 'line')) as [string]
  return { child, url: (JSON.parse(line) as { url: string }).url }
}

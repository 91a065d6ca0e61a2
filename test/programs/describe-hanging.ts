import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { spawnBin } from '../cli/start-bin.ts'

const CONSUMER = resolve(import.meta.dirname, '../mutants/consumer')
/** Runs the careful suite. On the mutant $HANG it leaves a process, tells a port of its start and of each SIGTERM, and goes on. */
const SCRIPT = `const { PETSTORE_MOCK_MUTANT, PETSTORE_MOCK_URL, HANG, PORT } = process.env
  if (PETSTORE_MOCK_MUTANT === HANG) {
    require('child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }).unref()
    fetch(PETSTORE_MOCK_URL + '/inventory/1', { method: 'PATCH' }).then(() => {
      const socket = require('net').connect(PORT)
      process.on('SIGTERM', () => socket.write('SIGTERM'))
    })
  } else import('${CONSUMER}/on-server.mjs')`

/** Declares how tests end that hang on a mutant: each row has the mutant, the signals, the exit code and the report. */
export function describeHanging(
  rows: readonly (readonly [mutant: string, signals: number, code: number, report: RegExp])[],
): void {
  // Windows has no signals that a process could answer with an orderly end.
  describe.skipIf(process.platform === 'win32')('a signal', () => {
    test.concurrent.for(rows)(
      'tests that hang on %s are ended after %i signals, or else at the limit',
      async ([HANG, count, code, report], { onTestFinished }) => {
        const server = createServer().listen(0)
        onTestFinished(() => void server.close())
        const { port } = server.address() as AddressInfo
        const line = [
          'mutate',
          '--only=-update',
          '--timeout=5s',
          '--',
          process.execPath,
          '-e',
          SCRIPT,
          '--',
          '',
          'careful',
        ]
        await using bin = spawnBin(line, { env: { HANG, PORT: `${port}` } })
        const [socket] = (await once(server, 'connection')) as [Socket]
        const told = text(socket)
        if (count > 0) bin.child.kill('SIGINT')
        await once(socket, 'data')
        if (count > 1) bin.child.kill('SIGINT')
        expect([await bin.exit, bin.out()]).toEqual([code, expect.stringMatching(report)])
        expect(await told).toBe('SIGTERM')
      },
    )
  })
}

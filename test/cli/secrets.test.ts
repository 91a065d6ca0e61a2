import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from './run-cli.ts'

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))
const MARKER = 'M4rk3rOfACredential'
const TOKEN = 'T0k3nOfTheControl'
const WRONG = 'Wr0ngCredential'

describe('the program', () => {
  test.each(['pretty', 'json'] as const)(
    'repeats no key on stdout, stderr or in the state file, --log %s',
    async (log) => {
      const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const state = join(folder, 'state.json')
      const flags = ['--port', '0', '--log', log, '--state', state, '--api-key', MARKER, '--control-token', TOKEN]
      const child = spawn(process.execPath, [BIN, 'serve', ...flags])
      onTestFinished(() => void child.kill('SIGKILL'))
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text))
      const url = await vi.waitUntil(() => /http:\/\/[\d.:]+\/v1/.exec(output)?.[0])
      const authorization = `Bearer ${MARKER}~a`
      const body = '{"quantity":7}'
      const patch = { method: 'PATCH', body, headers: { authorization, 'content-type': 'application/json' } }
      expect((await fetch(`${url}/inventory/1`, patch)).status).toBe(200)
      for (const headers of [{ authorization: WRONG }, { authorization: `Bearer ${WRONG}` }, { cookie: WRONG }]) {
        expect((await fetch(`${url}/inventory?access_token=${WRONG}`, { headers })).status).toBe(401)
        expect((await fetch(`${url}/nowhere;token=${WRONG}`, { headers })).status).toBe(404)
      }
      const control = new URL('/_mock/journal?sandbox=a', url)
      expect((await fetch(control, { headers: { 'x-mock-control-token': WRONG } })).status).toBe(401)
      const journal = await fetch(control, { headers: { 'x-mock-control-token': TOKEN } })
      const entries = await journal.text()
      child.kill('SIGTERM')
      await once(child, 'close')
      const shown = { output, entries, state: await readFile(state, 'utf8') }
      expect(
        Object.entries(shown).filter(([, text]) => [MARKER, TOKEN, WRONG].some((secret) => text.includes(secret))),
      ).toEqual([])
      expect([entries.includes('Bearer (hidden)'), shown.state.includes('"changed":[[0,7]]')]).toEqual([true, true])
    },
  )

  test.each([
    ['an API key that cannot be one', ['serve', '--api-key', `${MARKER}~`]],
    ['a control token that is an API key', ['serve', '-k', `other,${MARKER}`, '--control-token', MARKER]],
    ['an address that cannot be recorded', ['record', `ftp://me:${MARKER}@shop.example/`]],
    ['an address that cannot be checked', ['check', `http://me:${MARKER}@127.0.0.1/`]],
  ])('does not repeat %s', async (_, argv) => {
    const { code, out, err } = await runCli(...argv)
    expect([code, (out + err).includes(MARKER)]).toEqual([2, false])
  })
})

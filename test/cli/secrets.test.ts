import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, startPretty, startServe } from './run-cli.ts'
import { makeFolder } from './state-folder.ts'

const MARKER = 'M4rk3rOfACredential'
const TOKEN = 'T0k3nOfTheControl'
const WRONG = 'Wr0ngCredential'

test.each([
  ['pretty', startPretty],
  ['json', startServe],
])('serve repeats no key in its output, journal or state file, --log %s', async (_, start) => {
  const state = join(await makeFolder(), 'state.json')
  const { url, ask, out, err, stop } = await start('--state', state, '--api-key', MARKER, '--control-token', TOKEN)
  const update = { method: 'PATCH', key: `${MARKER}~a`, body: { quantity: 7 } }
  expect((await ask('/inventory/1', update)).status).toBe(200)
  for (const headers of [{ authorization: WRONG }, { authorization: `Bearer ${WRONG}` }, { cookie: WRONG }]) {
    expect((await fetch(`${url}/inventory?access_token=${WRONG}`, { headers })).status).toBe(401)
    expect((await fetch(`${url}/nowhere;token=${WRONG}`, { headers })).status).toBe(404)
  }
  const readJournal = (token: string): Promise<Response> =>
    fetch(new URL('/_mock/journal?sandbox=a', url), { headers: { 'x-mock-control-token': token } })
  expect((await readJournal(WRONG)).status).toBe(401)
  const entries = await (await readJournal(TOKEN)).text()
  expect(await stop()).toBe(0)
  const shown = { out: out(), err: err(), entries, state: await readFile(state, 'utf8') }
  const secrets = [MARKER, TOKEN, WRONG]
  expect(Object.entries(shown).filter(([, text]) => secrets.some((secret) => text.includes(secret)))).toEqual([])
  expect(entries).toContain('Bearer (hidden)')
  expect(shown.state).toContain('"pets":[[1,7,"available"]]')
})

test.each([
  ['an API key that cannot be one', ['serve', '--api-key', `${MARKER}~`]],
  ['a control token that is an API key', ['serve', '-k', `other,${MARKER}`, '--control-token', MARKER]],
  ['an address that cannot be recorded', ['record', `ftp://me:${MARKER}@shop.example/`]],
  ['an address that cannot be checked', ['check', `http://me:${MARKER}@127.0.0.1/`]],
])('%s is not repeated', async (_, argv) => {
  const { code, out, err } = await runCli(...argv)
  expect([code, (out + err).includes(MARKER)]).toEqual([2, false])
})

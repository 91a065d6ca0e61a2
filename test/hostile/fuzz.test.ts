import { expect, test } from 'vitest'
import { drawSeed, fuzz } from './fuzz.ts'
import { startServer } from './server.ts'

const CASES = 3000
/** A busy machine takes its time. */
const TIMEOUT = 240_000

test('hostile clients get strict responses, and nothing that was acknowledged is lost', {
  timeout: TIMEOUT,
}, async () => {
  const seed = drawSeed()
  console.log(`HOSTILE_SEED=${seed}`)
  await using server = await startServer()
  const reports = await fuzz({ port: server.port, seed, cases: CASES })
  const end = await server.stop('SIGTERM')
  expect(reports, reports.join('\n\n')).toEqual([])
  expect(server.stderr).toEqual([])
  expect(server.badLogLines).toEqual([])
  expect(end).toMatchObject({ code: 0, signal: null })
})

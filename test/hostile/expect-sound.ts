import { expect } from 'vitest'
import { drawSeed, fuzz } from './fuzz.ts'
import { startServer } from './server.ts'

/** Runs so many cases against a server, and expects that it did nothing wrong. */
export async function expectSound(cases: number): Promise<void> {
  const seed = drawSeed()
  console.log(`HOSTILE_SEED=${seed}`)
  await using server = await startServer()
  const reports = await fuzz({ port: server.port, seed, cases })
  const end = await server.stop('SIGTERM')
  expect(reports, reports.join('\n\n')).toEqual([])
  expect(server.stderr).toEqual([])
  expect(server.badLogLines).toEqual([])
  expect(end).toMatchObject({ code: 0, signal: null })
}

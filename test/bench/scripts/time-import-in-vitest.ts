// A test of Vitest's that writes how long the import of a module takes in its process, in milliseconds.
import { writeFileSync } from 'node:fs'
import { test } from 'vitest'

test('an import', async () => {
  const start = performance.now()
  await import(process.env['BENCH_URL'] ?? '')
  writeFileSync(process.env['BENCH_RESULT'] ?? '', String(performance.now() - start))
})

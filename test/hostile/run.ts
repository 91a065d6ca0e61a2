// node tools/dev.js test/hostile/run.ts --minutes 5 | --cases 25000, --seed N, --from N; behind --, flags for the server,
// such as --handlers test/hostile/other-handlers.mjs.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drawSeed, fuzz, toRepeat } from './fuzz.ts'
import { startServer } from './server.ts'

/** So many, and no more, make a server grow what it then keeps: buffers, compiled code, the journals. */
const WARM_UP_CASES = 10_000
const SETTLE_MS = 3000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '0' },
    cases: { type: 'string' },
    seed: { type: 'string', default: String(drawSeed()) },
    /** The first case, to run one again. */
    from: { type: 'string', default: '0' },
    /** How many of the cases that went wrong are shown. */
    show: { type: 'string', default: '20' },
  },
})
const [seed, minutes, from, show] = [values.seed, values.minutes, values.from, values.show].map(toNumber) as [
  number,
  number,
  number,
  number,
]
const cases = toNumber(values.cases ?? (minutes > 0 ? `${Number.MAX_SAFE_INTEGER}` : '25000'))

console.log(`HOSTILE_SEED=${seed}`)
await using server = await startServer(...positionals)
const { port } = server
const warmUp = from === 0 ? Math.min(WARM_UP_CASES, Math.floor(cases / 2)) : 0
await fuzz({ port, seed: seed + 1, cases: warmUp })
const before = await readSettled()
const begin = performance.now()
const signal = minutes > 0 ? AbortSignal.timeout(minutes * 60_000) : undefined
const { findings, ...summary } = await fuzz({ port, seed, from, cases, ...(signal && { signal }) })
const seconds = (performance.now() - begin) / 1000
const after = server.isRunning() ? await readSettled() : before
const end = await server.stop('SIGTERM')

for (const { index, title, violation } of findings.slice(0, show)) {
  console.log(`\ncase ${index}: ${title.slice(0, 600)}\n  ${violation.slice(0, 1200)}`)
}
if (findings[0] !== undefined) console.log(`\nThe first of them again: ${toRepeat(seed, findings[0])}`)
const lines = {
  cases: `${summary.cases} in ${seconds.toFixed(0)} s`,
  responses: summary.responses,
  'cases that went wrong': findings.length,
  'lines on stderr': server.stderr.length,
  'bad lines of the log': server.badLogLines.length,
  'resident memory': `${before.resident.toFixed(0)} MB before, ${after.resident.toFixed(0)} MB after`,
  'memory in use': `${before.used.toFixed(0)} MB before, ${after.used.toFixed(0)} MB after`,
  SIGTERM: `exit ${end.code ?? end.signal} after ${(end.after / 1000).toFixed(1)} s`,
}
for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(28)}${value}`)
console.log(server.stderr.slice(0, show).join('\n'))
const isClean = findings.length + server.stderr.length + server.badLogLines.length === 0 && end.code === 0
process.exitCode = isClean ? 0 : 1

function toNumber(text: string): number {
  const number = Number(text)
  if (number >= 0) return number
  throw new Error(`--minutes, --cases, --seed, --from and --show are numbers, not ${text}.`)
}

/** What the server keeps on purpose, the journal of refused requests, does not count; nor do connections about to close. */
async function readSettled() {
  await fetch(`http://127.0.0.1:${port}/_mock/journal`, { method: 'DELETE' })
  await sleep(SETTLE_MS)
  return server.readMemory()
}

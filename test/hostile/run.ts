// node tools/dev.js test/hostile/run.ts --minutes 5 | --cases 25000, --seed N, --from N; behind --, flags for the server, such as
// --handlers test/hostile/other-handlers.mjs.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FuzzSummary, fuzz } from './fuzz.ts'
import { type Memory, startServer } from './server.ts'
import { STALLED_CLIENTS } from './stalled-clients.ts'

/** So many, and no more, make a server grow what it then keeps: buffers, compiled code, the journals. */
const WARM_UP_CASES = 10_000
const SETTLE_MS = 3000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string', default: process.env['HOSTILE_SEED'] ?? String(Date.now() % 1_000_000) },
    /** The first case, to run one again. */
    from: { type: 'string', default: '0' },
    /** How many of the cases that went wrong are shown. */
    show: { type: 'string', default: '20' },
  },
})
const { seed, minutes, from, show, cases } = toNumbers()

console.log(`HOSTILE_SEED=${seed}`)
await using server = await startServer(...positionals)
const { port } = server
// Warms up, because an idle server has not yet allocated its usual buffers.
const warmUp = from === 0 ? Math.min(WARM_UP_CASES, Math.floor(cases / 2)) : 0
await fuzz({ port, seed: seed + 1, cases: warmUp })
const before = await readSettled()
const begin = performance.now()
const summary = await fuzz({
  port,
  seed,
  from,
  cases,
  ...(minutes > 0 && { signal: AbortSignal.timeout(minutes * 60_000) }),
})
const seconds = (performance.now() - begin) / 1000
const after = server.isRunning() ? await readSettled() : before
const stalled = await stallAll()
const end = await server.stop('SIGTERM')
for (const client of stalled) client[Symbol.dispose]()
report(summary)
const isClean = summary.findings.length === 0 && server.stderr.length === 0 && end.code === 0
process.exitCode = isClean ? 0 : 1

function toNumbers() {
  const {
    seed,
    minutes,
    from,
    show,
    cases = minutes === undefined ? '25000' : String(Number.MAX_SAFE_INTEGER),
  } = values
  const numbers = {
    seed: Number(seed),
    minutes: Number(minutes ?? 0),
    from: Number(from),
    show: Number(show),
    cases: Number(cases),
  }
  const wrong = Object.entries(numbers).find(([, value]) => !(value >= 0))
  if (wrong !== undefined) throw new Error(`--${wrong[0]} must be a number.`)
  return numbers
}

/** What the server keeps on purpose, the journal of refused requests, does not count; nor do connections about to close. */
async function readSettled(): Promise<Memory> {
  await fetch(`http://127.0.0.1:${port}/_mock/journal`, { method: 'DELETE' })
  await sleep(SETTLE_MS)
  return server.readMemory()
}

/** Clients of all kinds that stall the server. */
async function stallAll(): Promise<Disposable[]> {
  const clients: Disposable[] = []
  for (const { tls, fault, stall } of server.isRunning() ? STALLED_CLIENTS : []) {
    if (tls) continue
    if (fault !== undefined) await addFault(fault)
    clients.push(await stall(port))
  }
  return clients
}

async function addFault(fault: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const target = `http://127.0.0.1:${port}/_mock/faults?sandbox=stalled`
  await fetch(target, { method: 'POST', headers, body: JSON.stringify(fault) })
}

function report({ cases: ran, responses, findings }: FuzzSummary): void {
  for (const { index, title, violation } of findings.slice(0, show)) {
    console.log(`\ncase ${index}: ${title.slice(0, 600)}\n  ${violation.slice(0, 1200)}`)
  }
  if (findings.length > 0)
    console.log(
      `\n${findings.length} cases went wrong. One of them again: node tools/dev.js test/hostile/run.ts --seed ${seed} --from ${findings[0]?.index} --cases 1`,
    )
  const lines = {
    seed,
    cases: `${ran} in ${seconds.toFixed(0)} s`,
    responses,
    'cases that went wrong': findings.length,
    'lines on stderr': server.stderr.length,
    'bad lines of the log': server.badLogLines.length,
    'resident memory': `${before.resident.toFixed(0)} MB before, ${after.resident.toFixed(0)} MB after`,
    'memory in use': `${before.used.toFixed(0)} MB before, ${after.used.toFixed(0)} MB after`,
    [`SIGTERM beside ${stalled.length} stalled`]: `exit ${end.code ?? end.signal} after ${(end.after / 1000).toFixed(1)} s`,
  }
  for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(28)}${value}`)
  if (server.stderr.length > 0) console.log(server.stderr.slice(0, show).join('\n'))
}

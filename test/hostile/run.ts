// node test/hostile/run.ts --cases 25000 | --minutes 5, --seed N, --path P to run one case of a lane again, whose
// report names both; behind --, flags for the server, such as --handlers test/hostile/other-handlers.mjs. It tries dist, so
// run `npm run build` first.
import { parseArgs } from 'node:util'
import { drawSeed, fuzz } from './fuzz.ts'
import { startServer } from './server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string', default: '25000' },
    seed: { type: 'string', default: String(drawSeed()) },
    path: { type: 'string' },
  },
})
const limit = Number(values.minutes) * 60_000
const cases = values.minutes === undefined ? Number(values.cases) : Number.MAX_SAFE_INTEGER
const parameters = {
  ...(values.minutes !== undefined && { interruptAfterTimeLimit: limit, markInterruptAsFailure: false }),
  ...(values.path !== undefined && { path: values.path }),
}

console.log(`HOSTILE_SEED=${values.seed}`)
await using server = await startServer(...positionals)
const { port } = server
const begin = performance.now()
const reports = await fuzz({ port, seed: Number(values.seed), cases, parameters })
const end = await server.stop('SIGTERM')
for (const report of reports) console.log(report)
console.log(server.stderr.slice(0, 20).join('\n'), server.badLogLines.slice(0, 20).join('\n'))
console.log(`${cases} cases in ${Math.round((performance.now() - begin) / 1000)} s; ${reports.length} lanes went wrong`)
const isClean = reports.length + server.stderr.length + server.badLogLines.length === 0 && end.code === 0
process.exitCode = isClean ? 0 : 1

// Tries StrykerJS on the rooms that are named, or on all: npx node test/mutation/run.ts store http, or on a part
// of one, to have a sample: runtimes/server/server-request. What it found is kept, and only what has changed since is tried again.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOMS } from './rooms.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STRYKER = fileURLToPath(new URL('node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url))
/** In per cent of all mutants. */
const AIM = 90

interface Score {
  readonly detected: number
  readonly all: number
}

const parts = process.argv.length > 2 ? process.argv.slice(2) : ROOMS
const unknown = parts.filter((part) => !ROOMS.includes(part.split('/')[0] ?? ''))
if (unknown.length > 0) {
  console.error(`There is no room ${unknown.join(', ')}. Known: ${ROOMS.join(', ')}.`)
  process.exit(2)
}
if (!existsSync(STRYKER)) {
  console.error('StrykerJS is not installed. Install it: npm ci --prefix test/mutation')
  process.exit(2)
}

const scores = new Map<string, Score>()
for (const part of parts) {
  const env = { ...process.env, MUTATE_PART: part }
  const args = [STRYKER, 'run', 'test/mutation/stryker.config.js']
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  scores.set(part, readScore(part))
}

const total = Array.from(scores.values()).reduce((sum, { detected, all }) => ({
  detected: sum.detected + detected,
  all: sum.all + all,
}))
console.log(['', ...Array.from(scores, ([part, score]) => toLine(part, score)), toLine('all', total)].join('\n'))
process.exitCode = toPercent(total) >= AIM ? 0 : 1

/** Mutants that time out are detected, and those that no test reaches are not. */
function readScore(part: string): Score {
  const report = JSON.parse(
    readFileSync(new URL(`reports/${part.replaceAll('/', '-')}.json`, import.meta.url), 'utf8'),
  ) as {
    readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
  }
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...wanted: string[]): number => statuses.filter((status) => wanted.includes(status)).length
  return { detected: count('Killed', 'Timeout'), all: count('Killed', 'Timeout', 'Survived', 'NoCoverage') }
}

function toPercent({ detected, all }: Score): number {
  return (100 * detected) / all
}

function toLine(name: string, score: Score): string {
  return `${name.padEnd(28)}${toPercent(score).toFixed(1).padStart(6)} %  ${score.detected} of ${score.all}`
}

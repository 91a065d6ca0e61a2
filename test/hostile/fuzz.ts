import fc from 'fast-check'
import type { WireResponse } from '../wire/parse-response.ts'
import { openConnection } from './connection.ts'
import { type Garbage, garbage, runGarbage } from './garbage.ts'
import { type Pipeline, pipeline, runPipeline } from './pipeline.ts'
import { type Draft, LIST, toBytes, weigh } from './requests/request.ts'
import { createTwin, type Twin } from './twin.ts'

/** The number of concurrent connections. Each has its own sandbox, so that every twin is exact. */
const LANES = 24
const LONGEST_REPORT = 4000

interface FuzzOptions {
  readonly port: number
  readonly seed: number
  readonly cases: number
  readonly parameters?: fc.Parameters<unknown>
}

/** The seed of a run: that of `HOSTILE_SEED`, or another one each time. Whoever draws it prints it. */
export function drawSeed(): number {
  return Number(process.env['HOSTILE_SEED'] ?? Date.now() % 1_000_000)
}

/** Runs so many cases. @returns A report for each lane that failed: it ends at its first failure. */
export async function fuzz({ port, seed, cases, parameters = {} }: FuzzOptions): Promise<string[]> {
  const lanes = parameters.path === undefined ? LANES : 1
  const runs = Array.from({ length: lanes }, async (_, lane) => {
    const settings = { endOnFailure: true, ...parameters, seed: seed + lane, numRuns: Math.ceil(cases / lanes) }
    const details = await fc.check(createProperty(port), settings)
    return details.failed
      ? `${details.errorInstance}\n${fc.defaultReportMessage(details)}`.slice(0, LONGEST_REPORT)
      : undefined
  })
  const reports = [...(await Promise.all(runs)), await findSecrets(port)]
  return reports.filter((report) => report !== undefined)
}

/** A case that goes wrong leaves its sandbox to nobody. */
function createProperty(port: number) {
  let kept: Twin | undefined
  return fc.asyncProperty(weigh<Pipeline | Garbage>([92, pipeline], [8, garbage]), async (drawn) => {
    const twin = kept ?? createTwin()
    kept = undefined
    const violation = await ('changes' in drawn
      ? runGarbage(port, { ...drawn, twin })
      : runPipeline(port, { ...drawn, twin }))
    const wrong = violation ?? (twin.isForgotten ? undefined : await checkList(port, twin))
    if (wrong !== undefined) throw new Error(wrong)
    if (!twin.isForgotten) kept = twin
    else await ask(port, { method: 'DELETE', target: `/_mock/sandboxes/${twin.sandbox}` })
  })
}

/** Checks the sandbox over another connection: it contains all acknowledged updates, and nothing else. */
async function checkList(port: number, twin: Twin): Promise<string | undefined> {
  const { status, body } = await ask(port, LIST, twin.sandbox)
  return status === 200 ? twin.compareList(body.toString()) : `A list of its own: ${status} ${body}`
}

/** What is kept of requests that no sandbox was found for; a response that repeats a credential is refused. */
async function findSecrets(port: number): Promise<string | undefined> {
  const targets = ['journal', 'faults', 'state', 'sandboxes']
  const asked = await Promise.allSettled(targets.map((target) => ask(port, { target: `/_mock/${target}` })))
  return asked.find((each) => each.status === 'rejected')?.reason
}

async function ask(port: number, draft: Draft, sandbox = ''): Promise<WireResponse> {
  using connection = await openConnection(port)
  connection.socket.write(toBytes(draft, sandbox))
  const next = await connection.next(draft.method ?? 'GET')
  if ('response' in next) return next.response
  throw new Error(`${draft.method} ${draft.target}: the connection was ${next.ended}`)
}

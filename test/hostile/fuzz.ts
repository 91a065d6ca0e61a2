import { openConnection } from './connection.ts'
import { runGarbage } from './garbage.ts'
import { type CaseReport, drawPipeline, runPipeline } from './pipeline.ts'
import { createRandom } from './random.ts'
import { authorize, toBytes } from './requests/request.ts'
import { createWorld, type World } from './world.ts'

/** The number of concurrent connections. Each has its own sandbox, so that every model is exact. */
const LANES = 24

/** The maximum number of reported failures. */
const MOST_FINDINGS = 1000

export interface FuzzOptions {
  readonly port: number
  readonly seed: number
  /** Cases from this number on. @default 0 */
  readonly from?: number
  readonly cases: number
  /** Ends earlier. */
  readonly signal?: AbortSignal
}

/** The report of a failed case. */
interface Finding {
  readonly index: number
  readonly title: string
  readonly violation: string
}

export interface FuzzSummary {
  readonly cases: number
  readonly responses: number
  readonly findings: readonly Finding[]
}

/** The seed of a run: that of `HOSTILE_SEED`, or another one each time. Whoever draws it prints it. */
export function drawSeed(): number {
  return Number(process.env['HOSTILE_SEED'] ?? Date.now() % 1_000_000)
}

/** The command that runs a case again. */
export function toRepeat(seed: number, { index }: Finding): string {
  return `node tools/dev.js test/hostile/run.ts --seed ${seed} --from ${index} --cases 1`
}

/** Runs cases until there are enough. Each case is generated only from the seed and its number. */
export async function fuzz({ port, seed, from = 0, cases, signal }: FuzzOptions): Promise<FuzzSummary> {
  const findings: Finding[] = []
  let next = from
  let responses = 0
  const runLane = async (): Promise<void> => {
    let world: World | undefined
    while (next < from + cases && signal?.aborted !== true) {
      const index = next++
      world ??= createWorld(toSandbox(seed, index))
      const report = await runCase({ port, seed, index, world }).catch(toReport)
      responses += report.responses
      const violation = report.violation ?? (await checkWorld(port, world).catch(toMessage))
      if (violation !== undefined) findings.push({ index, title: report.title, violation })
      if (violation === undefined && !world.isForgotten) continue
      await deleteSandbox(port, world.sandbox).catch(toMessage)
      world = undefined
      // A server that is gone answers none of the cases that are left.
      if (findings.length > MOST_FINDINGS) next = from + cases
    }
    if (world !== undefined) await deleteSandbox(port, world.sandbox).catch(toMessage)
  }
  await Promise.all(Array.from({ length: LANES }, runLane))
  findings.push(...(await findSecrets(port)))
  return { cases: next - from, responses, findings }
}

interface Case {
  readonly port: number
  readonly seed: number
  readonly index: number
  readonly world: World
}

function runCase({ port, seed, index, world }: Case): Promise<CaseReport> {
  const random = createRandom(seed, index)
  if (random.chance(0.08)) return runGarbage(port, { random, world })
  return runPipeline(port, { ...drawPipeline(random, world), world })
}

/** What is kept of requests that no sandbox was found for; a response that repeats a credential is refused. */
async function findSecrets(port: number): Promise<Finding[]> {
  const targets = ['/_mock/journal', '/_mock/faults', '/_mock/state', '/_mock/sandboxes']
  const reports = await Promise.all(
    targets
      .map(async (target) => {
        using connection = await openConnection(port)
        connection.socket.write(toBytes({ target }))
        await connection.next('GET')
      })
      .map((asked) => asked.then(() => undefined, toMessage)),
  )
  return reports.flatMap((violation, turn) =>
    violation === undefined ? [] : [{ index: -1, title: `GET ${targets[turn]}`, violation }],
  )
}

/** Checks the sandbox over another connection: it contains all acknowledged updates, and nothing else. */
async function checkWorld(port: number, world: World): Promise<string | undefined> {
  if (world.isForgotten) return undefined
  using connection = await openConnection(port)
  connection.socket.write(toBytes({ headers: [authorize(world)] }))
  const next = await connection.next('GET')
  if (!('response' in next)) return `A list of its own: the connection was ${next.ended}`
  const { status, body } = next.response
  return status === 200 ? world.compare(body.toString()) : `A list of its own: ${status} ${body}`
}

async function deleteSandbox(port: number, sandbox: string): Promise<void> {
  using connection = await openConnection(port)
  connection.socket.write(toBytes({ method: 'DELETE', target: `/_mock/sandboxes/${sandbox}` }))
  await connection.next('DELETE')
}

/** Far enough from each other that a changed byte does not lead into another's. */
function toSandbox(seed: number, index: number): string {
  const random = createRandom(seed, index, 1)
  return `h${index}-${Array.from({ length: 12 }, () => random.below(36).toString(36)).join('')}`
}

function toReport(error: unknown): CaseReport {
  return { title: 'a connection', responses: 0, violation: toMessage(error) }
}

function toMessage(error: unknown): string {
  return (error as Error).message
}

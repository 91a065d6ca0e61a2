import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { MockError } from '../http/mock-error.ts'
import type { Profile } from '../inventory/profile.ts'
import { serve } from '../runtimes/server.ts'
import { createMock } from '../service/create-mock.ts'
import { CASES, type Case } from './cases.ts'
import { checkCase } from './check-case.ts'
import { type CheckedCase, type FoundProfile, findProfile } from './find-profile.ts'
import { loadJudge } from './prism.ts'
import { type CaseResult, type CheckReport, createReport } from './report.ts'
import { explainStock, isAsBefore, type RestoredStock, StockKeeper } from './restore.ts'
import { Run } from './run.ts'
import type { CheckedService } from './service.ts'
import { Session } from './session.ts'
import { Sightings } from './sightings.ts'
import { listRestorable } from './stock.ts'
import { surveyService } from './survey.ts'
import { createTwin } from './twin.ts'

/** Options of `runCheck`. */
export interface RunCheckOptions extends Partial<CheckedService> {
  /** Without a path, the inventory is looked for below `/v1`, then at the root. @default a mock created for the check */
  readonly url?: string
  /** @default 'demo-key' */
  readonly apiKey?: string
  /** The time limit of the run, in milliseconds, after which the rest is inconclusive. @default 120_000 */
  readonly limitMs?: number | undefined
  /** Whether to send updates. The stock is restored afterwards. @default false, because the data may belong to others */
  readonly write?: boolean | undefined
  /** The ids of pets that may be updated. @default any pet */
  readonly petIds?: readonly string[] | undefined
  /** How the service is known to decide where the specification is silent. @default as the mock does */
  readonly profile?: Profile | undefined
  /** Whether to find the range of quantities that the service accepts, too, in some hundred updates more. */
  readonly findProfile?: boolean | undefined
  /** Words of the titles of the cases to run. @default all cases */
  readonly only?: string | undefined
  /** The file for the original stock. @default none */
  readonly originalsFile?: string | undefined
  /** How long to try to restore the stock of a service that does not respond, in milliseconds. @default 60_000 */
  readonly restorePatienceMs?: number | undefined
  /**
   * How long to wait for an update that a service applies late, or undoes, in milliseconds.
   * @default 6,000 after the last case, and 300 after the stock is restored, or 6,000 if the last case found it
   */
  readonly lateMs?: number | undefined
  /** Called before each case. */
  readonly onCase?: ((progress: { title: string; done: number; count: number }) => void) | undefined
  /** Called if the end of the time or a signal ends the run, with the longest time that restoring takes, in milliseconds. */
  readonly onRestoring?: ((longestMs: number) => void) | undefined
  /** Called after the changed quantities are restored, even if the run is aborted. */
  readonly onRestored?: ((restored: RestoredStock) => void) | undefined
}

export interface CheckRun {
  readonly report: CheckReport
  /** How the service decides where the specification is silent; `undefined` for the mock itself. */
  readonly found: FoundProfile | undefined
}

/**
 * Checks a service against the specification with all cases. Prism judges each response. Finally, even if the run is
 * aborted, it restores every quantity that it changed and verifies that the list is as it was before.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL or an unknown pet; `CHECK_UNAVAILABLE` without Prism;
 * `CHECK_FAILED` if the service cannot be reached, rejects the key, or has a stock that the mock cannot hold.
 */
export async function runCheck(options: RunCheckOptions = {}): Promise<CheckRun> {
  const { url, apiKey = DEFAULT_API_KEY, signal } = options
  signal?.throwIfAborted()
  if (url !== undefined) return checkUrl({ ...options, url, apiKey })
  const server = await serve(createMock({ fixture: 'int64-edges', apiKeys: [apiKey] }))
  try {
    // The mock applies nothing late.
    const own = { lateMs: 0, ...options, url: `${server.url}/v1`, apiKey, write: true }
    const { report } = await checkUrl(own, true)
    return { report: { ...report, url: undefined }, found: undefined }
  } finally {
    await server.close()
  }
}

async function checkUrl(options: RunCheckOptions & CheckedService, isOwn = false): Promise<CheckRun> {
  const { petIds, profile, write: mayWrite = false, onCase, onRestoring, onRestored } = options
  const start = performance.now()
  const timeout = AbortSignal.timeout(options.limitMs ?? 120_000)
  const rows = chooseCases(options)
  const sightings = new Sightings()
  const { service, pets } = await surveyService(options, { timeout, sightings })
  const restorable = listRestorable(pets)
  const changeable = new Set(restorable.map(({ petId }) => petId).filter((petId) => petIds?.includes(petId) ?? true))
  const unknown = petIds?.find((petId) => !pets.some((pet) => pet.petId === petId))
  if (unknown !== undefined)
    throw new MockError('INVALID_OPTION', `Failed to check ${service.url}: it has no pet ${unknown} to update.`)
  const judge = await loadJudge()
  const twin = profile === undefined ? undefined : createTwin(restorable, profile)
  const session = new Session(service, { timeout, sightings })
  const { originalsFile: file, restorePatienceMs: patienceMs, lateMs } = options
  const keeper = new StockKeeper({ service, originals: pets, changeable, file, patienceMs, lateMs })
  const run = new Run({ session, pets, changeable, keeper, mayWrite, lateMs })
  const cases: CheckedCase[] = []
  const restored: CaseResult[] = []
  const announce = (): void => void (keeper.isNeeded && onRestoring?.(keeper.longestMs))
  const ended = AbortSignal.any([timeout, ...(options.signal === undefined ? [] : [options.signal])])
  ended.addEventListener('abort', announce)
  try {
    for (const row of rows) {
      onCase?.({ title: `${row.operation}: ${row.title}`, done: cases.length, count: rows.length })
      const result = await checkCase(row, { run, service, judge, isForeign: !isOwn, twin })
      const first = run.responses.find(({ request }) => request.operation === row.operation)
      cases.push({ row, result, first })
    }
  } finally {
    if (keeper.isNeeded) {
      const restoring = performance.now()
      const { hasSideEffects, undoneMs, stock } = run
      const { foreign } = stock
      const { lastUnconfirmedMs } = session
      const left = await keeper.restore({ foreign, hasSideEffects, undoneMs, lastUnconfirmedMs })
      restored.push(toRestoredResult(left, Math.round(performance.now() - restoring)))
      onRestored?.(left)
    }
    ended.removeEventListener('abort', announce)
  }
  const durationMs = Math.round(performance.now() - start)
  const results = [...cases.map(({ result }) => result), ...restored]
  const seen = [...run.seen, ...sightings.toSentences()]
  const report = createReport({ url: service.url, damage: run.damage?.message, durationMs, seen, cases: results })
  const found = isOwn ? undefined : await findProfile({ cases, range: run.found, service, pets, expected: profile })
  return { report, found }
}

/** The cases that the others depend on run too. */
function chooseCases({ only = '', findProfile: isProfile = false }: RunCheckOptions): readonly Case[] {
  const isChosen = ({ operation, title }: Case): boolean =>
    `${operation}: ${title}`.toLowerCase().includes(only.toLowerCase())
  const cases = CASES.filter(({ isForProfile = false }) => isProfile || !isForProfile)
  const chosen = cases.filter(isChosen)
  const refusal = `Failed to check: no case has ${JSON.stringify(only)} in its title. Without --only, the report lists all.`
  if (chosen.length === 0) throw new MockError('INVALID_OPTION', refusal)
  const isUpdating = chosen.some(({ operation }) => operation === 'updateInventory')
  return cases.filter((each) => isChosen(each) || (isUpdating && each.isFirst))
}

function toRestoredResult(stock: RestoredStock, durationMs: number): CaseResult {
  const open = stock.isUnreachable ? 'inconclusive' : 'failed'
  const verdict = isAsBefore(stock) ? 'passed' : open
  return {
    operation: 'updateInventory',
    case: 'the stock should be as it was before the check',
    status: 200,
    expected: 200,
    verdict,
    findings: explainStock(stock).map((message) => ({ verdict, cause: 'stock', message })),
    durationMs,
  }
}

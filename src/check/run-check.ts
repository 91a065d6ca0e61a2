import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { MockError } from '../http/mock-error.ts'
import type { Profile } from '../inventory/profile.ts'
import { serve } from '../runtimes/server.ts'
import { createMock } from '../service/create-mock.ts'
import type { CheckedService } from './ask.ts'
import { CASES, type Case } from './cases.ts'
import { type CheckServiceOptions, checkService } from './check-service.ts'
import { type FoundProfile, findProfile } from './find-profile.ts'
import { LENIENT_JUDGE, loadJudge } from './judge.ts'
import { type CheckReport, createReport } from './report.ts'
import type { RestoredStock } from './restored-stock.ts'
import type { ListedPet } from './stock.ts'
import { Stock } from './stock.ts'
import { createStockKeeper } from './stock-keeper.ts'
import { surveyService } from './survey.ts'
import { createTwin } from './twin.ts'

/** Options of `runCheck`. */
export interface RunCheckOptions
  extends Pick<CheckServiceOptions, 'onCase' | 'onRestored' | 'originalsFile' | 'restorePatienceMs'> {
  /**
   * The URL of a running service. Without a path, the inventory is looked for below `/v1`, then at the root.
   * @default a mock created for the check
   */
  readonly url?: string | undefined
  /** @default 'demo-key' */
  readonly apiKey?: string | undefined
  /** Headers for every request, which a gateway may need. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Aborts the run: the stock is restored, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of the run, in milliseconds, after which the rest is inconclusive. @default 120_000 */
  readonly limitMs?: number | undefined
  /**
   * Whether to send updates. The stock is restored afterwards.
   * @default false with `url`, because the data may belong to others
   */
  readonly write?: boolean | undefined
  /** The ids of pets that may be updated. @default any pet */
  readonly petIds?: readonly string[] | undefined
  /** How the service is known to decide where the specification is silent. @default as the mock does */
  readonly profile?: Profile | undefined
  /** Whether to compare the service with a mock of the same stock instead of judging it. Needs no Prism. */
  readonly diff?: boolean | undefined
  /** Whether to find out how the service decides where the specification is silent. */
  readonly findProfile?: boolean | undefined
  /** Words of the titles of the cases to run. @default all cases */
  readonly only?: string | undefined
}

/** A report, and the profile that was asked for. */
export interface CheckRun {
  readonly report: CheckReport
  readonly found: FoundProfile | undefined
}

/**
 * Checks a service against the specification with all cases, or compares it with a mock. Prism judges each response.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL or an unknown pet; `CHECK_UNAVAILABLE` without Prism;
 * `CHECK_FAILED` if the service cannot be reached, rejects the key, or has a stock that the mock cannot hold.
 * @example
 * const { report } = await runCheck({ url: 'http://127.0.0.1:4100', write: true })
 */
export async function runCheck(options: RunCheckOptions = {}): Promise<CheckRun> {
  const { url, apiKey = DEFAULT_API_KEY, headers, signal } = options
  signal?.throwIfAborted()
  const service = { apiKey, headers, signal }
  if (url !== undefined) return checkUrl({ ...service, url }, options)
  const own = await serve(createMock({ apiKeys: [apiKey], fixture: 'int64-edges' }))
  try {
    return await checkUrl({ ...service, url: own.url }, { write: true, ...options })
  } finally {
    await own.close()
  }
}

async function checkUrl(
  given: CheckedService,
  { limitMs = 120_000, petIds, profile, diff: isDiff = false, write = false, only, ...options }: RunCheckOptions,
): Promise<CheckRun> {
  const start = performance.now()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limitMs)
  const isForeign = options.url !== undefined
  try {
    const { service, survey } = await surveyService(given, { petIds, timeout: controller.signal })
    const { url, apiKey } = service
    const judge = isDiff ? LENIENT_JUDGE : await loadJudge()
    const isCompared = isDiff || profile !== undefined
    const twin = isCompared ? createTwin(survey.pets, { profile: profile ?? {}, apiKey, url }) : undefined
    const checked = await checkService(service, {
      ...options,
      survey,
      judge,
      twin,
      isDiff,
      isForeign: isForeign && !isDiff,
      mayWrite: write,
      timeout: controller.signal,
      cases: chooseCases({ only, findProfile: options.findProfile }),
    })
    const durationMs = Math.round(performance.now() - start)
    const report = createReport({ url: isForeign ? url : undefined, durationMs, cases: checked.results })
    const found = options.findProfile ? findProfile(checked.results, { ...checked, apiKey }) : undefined
    return { report, found }
  } finally {
    clearTimeout(timer)
  }
}

/** The cases that the others depend on run too. */
function chooseCases({
  only,
  findProfile: isProfile = false,
}: Pick<RunCheckOptions, 'only' | 'findProfile'>): readonly Case[] {
  const cases = CASES.filter(({ isForProfile = false }) => isProfile || !isForProfile)
  if (only === undefined) return cases
  const isChosen = ({ operation, title }: Case): boolean =>
    `${operation}: ${title}`.toLowerCase().includes(only.toLowerCase())
  const chosen = cases.filter(isChosen)
  if (chosen.length === 0) {
    const sentence = `Failed to check: no case has ${JSON.stringify(only)} in its title. Without --only, the report lists all.`
    throw new MockError('INVALID_OPTION', sentence)
  }
  const isUpdating = chosen.some(({ operation }) => operation === 'updateInventory')
  return cases.filter((each) => isChosen(each) || (isUpdating && each.isFirst))
}

/** The original stock, as a check writes it into the file before its first update. */
export interface Originals {
  readonly url: string
  readonly inventory: readonly ListedPet[]
}

/** Puts back the quantities that a check could not restore at its end. */
export async function restoreOriginals(
  { url, inventory }: Originals,
  { apiKey = DEFAULT_API_KEY, headers }: Pick<RunCheckOptions, 'apiKey' | 'headers'>,
): Promise<RestoredStock> {
  const keeper = createStockKeeper({ service: { url, apiKey, headers }, originals: inventory })
  for (const { petId } of inventory) keeper.touch(petId)
  return keeper.restore(new Stock([]), { changeable: keeper.touched, unconfirmed: [] })
}

import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { serve } from '../runtimes/server.ts'
import { createMock } from '../service/create-mock.ts'
import { type CaseResult, type CheckReport, createReport } from './check-report.ts'
import { type CheckServiceOptions, checkService } from './check-service.ts'
import type { CheckedService } from './conformance/ask.ts'
import { surveyService } from './conformance/survey.ts'
import { startJudge } from './judge.ts'

/** Options of `runCheck`. */
export interface RunCheckOptions extends Pick<CheckServiceOptions, 'onCase' | 'onRestored'> {
  /**
   * The URL of a running service. The base path is `/v1` unless the URL has a path.
   * @default a mock created for the check
   */
  readonly url?: string | undefined
  /** @default 'demo-key' */
  readonly apiKey?: string | undefined
  /**
   * Whether to send updates. The stock is restored afterwards.
   * @default false with `url`, because the data may belong to others
   */
  readonly write?: boolean | undefined
  /**
   * The ids of pets that may be updated.
   * @default any pet
   */
  readonly petIds?: readonly string[] | undefined
  /** Aborts the check: the stock is restored, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /**
   * The time limit for the whole run, in milliseconds.
   * @default 120_000
   */
  readonly limitMs?: number | undefined
}

/**
 * Checks a service against the specification with all conformance cases. Prism judges each response.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL or an unknown pet; `CHECK_UNAVAILABLE` without Prism;
 * `CHECK_FAILED` if the service cannot be reached, rejects the key, or takes too long.
 * @example
 * const { failed, cases } = await runCheck({ url: 'http://127.0.0.1:4100', write: true })
 */
export async function runCheck(options: RunCheckOptions = {}): Promise<CheckReport> {
  const { url, apiKey = DEFAULT_API_KEY, signal, limitMs = 120_000 } = options
  const start = performance.now()
  const address = url === undefined ? undefined : parseTarget(url)
  const own = address === undefined ? await serve(createMock({ apiKeys: [apiKey], fixture: 'int64-edges' })) : undefined
  using limit = createLimit(limitMs)
  try {
    const service = {
      url: address ?? `${own?.url}/v1`,
      apiKey,
      signal: AbortSignal.any([limit.signal, ...toList(signal)]),
    }
    const cases = await check(service, { ...options, isForeign: address !== undefined })
    return createReport({ url: address, durationMs: Math.round(performance.now() - start), cases })
  } finally {
    await own?.close()
  }
}

/** Reports an unreachable service before Prism is started. */
async function check(
  service: CheckedService,
  { isForeign, write = !isForeign, petIds, onCase, onRestored }: RunCheckOptions & { readonly isForeign: boolean },
): Promise<readonly CaseResult[]> {
  const survey = await surveyService(service, petIds)
  const judge = await startJudge(service.signal)
  try {
    return await checkService({ ...service, judge }, { survey, isForeign, mayWrite: write, onCase, onRestored })
  } finally {
    await judge.close()
  }
}

function createLimit(ms: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const reason = `Failed to check the service: it was not done after ${ms / 1000} seconds.`
  const timer = setTimeout(() => controller.abort(new MockError('CHECK_FAILED', reason)), ms)
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}

function toList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}

/** The URL with its base path, without a trailing slash. */
function parseTarget(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new MockError(
      'INVALID_OPTION',
      `Failed to check ${JSON.stringify(cut(hideInAddress(text)))}: it is not the URL of a service. Pass one like http://127.0.0.1:4100, with or without its base path.`,
    )
  }
  return url.pathname === '/' ? `${url.origin}/v1` : url.href.replace(/\/+$/, '')
}

import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { serve } from '../runtimes/server.ts'
import { createMock } from '../service/create-mock.ts'
import { type CaseResult, type CheckReport, createReport } from './check-report.ts'
import { checkService } from './check-service.ts'
import type { CheckedService } from './conformance/ask.ts'
import { surveyService } from './conformance/survey.ts'
import { startJudge } from './judge.ts'

/** What to check. */
export interface RunCheckOptions {
  /**
   * The address of a running service. Its base path is `/v1` unless the address has a path.
   * @default a mock made for the check
   */
  readonly url?: string | undefined
  /** @default 'demo-key' */
  readonly apiKey?: string | undefined
  /** Gives up: what was changed is set back, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a service against the specification: every case of the conformance pack, each answer judged by Prism.
 * @throws {MockError} `INVALID_OPTION` for an address that is none; `CHECK_UNAVAILABLE` without Prism; `CHECK_FAILED`
 * where the service cannot be reached.
 * @example
 * const { failed, cases } = await runCheck({ url: 'http://127.0.0.1:4100' })
 */
export async function runCheck({ url, apiKey = DEFAULT_API_KEY, signal }: RunCheckOptions = {}): Promise<CheckReport> {
  const start = performance.now()
  const address = url === undefined ? undefined : parseTarget(url)
  const own = address === undefined ? await serve(createMock({ apiKeys: [apiKey] })) : undefined
  try {
    const cases = await check({ url: address ?? `${own?.url}/v1`, apiKey, signal }, address !== undefined)
    return createReport({ url: address, durationMs: Math.round(performance.now() - start), cases })
  } finally {
    await own?.close()
  }
}

/** A service that cannot be reached is told before Prism is started. */
async function check(service: CheckedService, isForeign: boolean): Promise<readonly CaseResult[]> {
  const survey = await surveyService(service)
  const judge = await startJudge(service.signal)
  try {
    return await checkService({ ...service, judge }, { survey, isForeign })
  } finally {
    await judge.close()
  }
}

/** The address with its base path, without a slash at its end. */
function parseTarget(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new MockError(
      'INVALID_OPTION',
      `Failed to check ${JSON.stringify(cut(hideInAddress(text)))}: it is not the address of a service. Give one like http://127.0.0.1:4100, or with its base path.`,
    )
  }
  return url.pathname === '/' ? `${url.origin}/v1` : url.href.replace(/\/+$/, '')
}

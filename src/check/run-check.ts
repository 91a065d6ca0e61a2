import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { type RunningServer, serve } from '../runtimes/server.ts'
import { createMock } from '../service/create-mock.ts'
import { type CaseResult, type CheckReport, createReport } from './check-report.ts'
import { type CheckServiceOptions, checkService } from './check-service.ts'
import type { CheckedService } from './conformance/ask.ts'
import { surveyService } from './conformance/survey.ts'
import { startJudge } from './judge.ts'
import { openService, type ServiceOptions } from './open-service.ts'

/** Options of `runCheck`. */
interface RunCheckOptions extends Omit<ServiceOptions, 'url'>, Pick<CheckServiceOptions, 'onCase' | 'onRestored'> {
  /**
   * The URL of a running service. Without a path, the inventory is looked for below `/v1`, then at the root.
   * @default a mock created for the check
   */
  readonly url?: string | undefined
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
}

/**
 * Checks a service against the specification with all conformance cases. Prism judges each response.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL or an unknown pet; `CHECK_UNAVAILABLE` without Prism;
 * `CHECK_FAILED` if the service cannot be reached, rejects the key, or takes too long.
 * @example
 * const { failed, cases } = await runCheck({ url: 'http://127.0.0.1:4100', write: true })
 */
export async function runCheck(options: RunCheckOptions = {}): Promise<CheckReport> {
  const start = performance.now()
  const isForeign = options.url !== undefined
  const own = isForeign ? undefined : await serveOwn(options)
  try {
    return await openService({ ...options, url: options.url ?? `${own?.url}/v1` }, async (service) => {
      const cases = await check(service, { ...options, isForeign })
      const durationMs = Math.round(performance.now() - start)
      return createReport({ url: isForeign ? service.url : undefined, durationMs, cases })
    })
  } finally {
    await own?.close()
  }
}

function serveOwn({ apiKey = DEFAULT_API_KEY }: RunCheckOptions): Promise<RunningServer> {
  return serve(createMock({ apiKeys: [apiKey], fixture: 'int64-edges' }))
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

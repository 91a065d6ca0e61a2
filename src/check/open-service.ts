import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { toBaseUrls } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { ask, type CheckedService, NoAnswer } from './conformance/ask.ts'

/** Which service a run calls, and for how long. */
export interface ServiceOptions {
  /** The URL of a running service. Without a path, the inventory is looked for below `/v1`, then at the root. */
  readonly url: string
  /** @default 'demo-key' */
  readonly apiKey?: string | undefined
  /** Aborts the run: the stock is restored, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /**
   * The time limit for the whole run, in milliseconds.
   * @default 120_000
   */
  readonly limitMs?: number | undefined
}

/**
 * Runs something with a running service, with a time limit for the whole run.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL; `CHECK_FAILED` if a URL without a path has no inventory.
 */
export async function openService<Result>(
  { url, apiKey = DEFAULT_API_KEY, signal, limitMs = 120_000 }: ServiceOptions,
  run: (service: CheckedService) => Promise<Result>,
): Promise<Result> {
  const bases = parseBases(url)
  const controller = new AbortController()
  const reason = `Failed to check the service: it was not done after ${limitMs / 1000} seconds.`
  const timer = setTimeout(() => controller.abort(new MockError('CHECK_FAILED', reason)), limitMs)
  const either = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal])
  try {
    return await run(await findService(bases, { apiKey, signal: either }))
  } finally {
    clearTimeout(timer)
  }
}

function parseBases(text: string): readonly [string, ...string[]] {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new MockError(
      'INVALID_OPTION',
      `Failed to check ${JSON.stringify(cut(hideInAddress(text)))}: it is not the URL of a service. Pass one like http://127.0.0.1:4100, with or without its base path.`,
    )
  }
  return toBaseUrls(url)
}

/** The service at the first base URL with an inventory. Whatever else is wrong there is left to the run. */
async function findService(
  bases: readonly [string, ...string[]],
  options: Omit<CheckedService, 'url'>,
): Promise<CheckedService> {
  if (bases.length === 1) return { ...options, url: bases[0] }
  for (const url of bases) {
    const service = { ...options, url }
    if (!(await isMissing(service))) return service
  }
  const addresses = bases.map((base) => `${base}/inventory`).join(' or ')
  throw new MockError(
    'CHECK_FAILED',
    `Failed to check the service: there is no inventory at ${addresses} (404). Pass the URL with its base path.`,
  )
}

async function isMissing(service: CheckedService): Promise<boolean> {
  const headers = { authorization: `Bearer ${service.apiKey}` }
  try {
    return (await ask(service, { method: 'GET', path: '/inventory', headers })).status === 404
  } catch (error) {
    if (error instanceof NoAnswer) return false
    throw error
  }
}

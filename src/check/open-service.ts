import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import type { CheckedService } from './conformance/ask.ts'

/** Which service a run calls, and for how long. */
export interface ServiceOptions {
  /** The URL of a running service. The base path is `/v1` unless the URL has a path. */
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
 * @throws {MockError} `INVALID_OPTION` for an invalid URL.
 */
export async function openService<Result>(
  { url, apiKey = DEFAULT_API_KEY, signal, limitMs = 120_000 }: ServiceOptions,
  run: (service: CheckedService) => Promise<Result>,
): Promise<Result> {
  const target = parseTarget(url)
  const controller = new AbortController()
  const reason = `Failed to check the service: it was not done after ${limitMs / 1000} seconds.`
  const timer = setTimeout(() => controller.abort(new MockError('CHECK_FAILED', reason)), limitMs)
  const either = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal])
  try {
    return await run({ url: target, apiKey, signal: either })
  } finally {
    clearTimeout(timer)
  }
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

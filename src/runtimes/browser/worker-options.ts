import { MockError } from '../../contract/mock-error.ts'
import { quote } from '../../contract/quote.ts'
import { createWorkerError } from './worker-error.ts'

/** How to answer a page's requests. */
export interface WorkerOptions {
  /**
   * The address of msw's worker script, as `petstore-mock init` put it into the site; relative to the page.
   * @default '/mockServiceWorker.js'
   */
  readonly workerUrl?: string
  /**
   * The pages that the worker serves: all whose address starts with this one. Wider than the script's own folder it
   * needs the header `Service-Worker-Allowed` on the script.
   * @default the folder of the script
   */
  readonly scope?: string
  /**
   * What happens to a request that is not for the double: it goes to the network, with a warning, or it fails. A page's
   * own files, scripts and images among them, always go to the network.
   * @default 'bypass'
   */
  readonly onUnhandledRequest?: UnhandledRequest
  /**
   * How long the worker may take to start, and to stop, in milliseconds.
   * @default 10000
   */
  readonly timeout?: number
}

const UNHANDLED_REQUESTS = ['bypass', 'warn', 'error'] as const

export type UnhandledRequest = (typeof UNHANDLED_REQUESTS)[number]

/** The options, read and completed. */
export interface ParsedWorkerOptions {
  /** Absolute. */
  readonly scriptUrl: string
  /** Absolute; the page lies in it. */
  readonly scope: string
  readonly onUnhandledRequest: UnhandledRequest
  readonly timeout: number
}

/** The part of the page that addresses count from. */
export interface PageAddress {
  /** Without a fragment. */
  readonly href: string
  /** What relative addresses count from: a `base` element can change it. */
  readonly baseUrl: string
}

const KNOWN: Readonly<Record<keyof WorkerOptions, true>> = {
  workerUrl: true,
  scope: true,
  onUnhandledRequest: true,
  timeout: true,
}

/**
 * @throws {MockError} `INVALID_OPTION` naming the option; `WORKER_START` where such a worker could never serve the page.
 */
export function parseWorkerOptions(options: WorkerOptions, page: PageAddress): ParsedWorkerOptions {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name))
      throw toOptionError(name, `is not known. Known are ${Object.keys(KNOWN).join(', ')}.`)
  }
  const { workerUrl = '/mockServiceWorker.js', onUnhandledRequest = 'bypass', timeout = 10_000 } = options
  if (!UNHANDLED_REQUESTS.includes(onUnhandledRequest)) {
    throw toOptionError(
      'onUnhandledRequest',
      `must be one of ${UNHANDLED_REQUESTS.join(', ')}, got ${quote(onUnhandledRequest)}.`,
    )
  }
  if (!(timeout > 0 && timeout <= 2 ** 31 - 1))
    throw toOptionError('timeout', `must be a number of milliseconds above 0, got ${quote(timeout)}.`)
  const scriptUrl = parseUrl('workerUrl', workerUrl, page)
  const scope = options.scope === undefined ? new URL('.', scriptUrl).href : parseUrl('scope', options.scope, page)
  assertServes({ scriptUrl, scope }, page)
  return { scriptUrl, scope, onUnhandledRequest, timeout }
}

function parseUrl(name: 'workerUrl' | 'scope', value: string, { baseUrl }: PageAddress): string {
  const url = typeof value === 'string' ? URL.parse(value, baseUrl) : null
  if (url === null) throw toOptionError(name, `must be an address, got ${quote(value)}.`)
  url.hash = ''
  return url.href
}

/**
 * Asked before anything is registered, since a worker that does not serve the page cannot be told from one that a hard
 * reload went past, and msw reloads the page again and again in the hope of the latter.
 */
function assertServes({ scriptUrl, scope }: { scriptUrl: string; scope: string }, page: PageAddress): void {
  const { origin } = new URL(page.href)
  if (new URL(scriptUrl).origin !== origin) {
    throw createWorkerError(
      `the script ${scriptUrl} is of another origin than the page, ${origin}, and browsers take it from the page's own only. Run \`npx petstore-mock init public/\` and leave workerUrl out.`,
    )
  }
  if (page.href.startsWith(scope)) return
  throw createWorkerError(
    `the page ${page.href} is outside the worker's scope ${scope}. Put the script into the root of the site with \`npx petstore-mock init public/\`, or set scope.`,
  )
}

function toOptionError(name: string, problem: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to start the worker: the option ${name} ${problem}`)
}

import { quote } from '../../http/quote.ts'
import { createWorkerError } from './worker-error.ts'
import { createOptionError, type WorkerOptions } from './worker-options.ts'

/** Where the worker's script lies, and which pages it serves. */
export interface WorkerScript {
  /** Absolute. */
  readonly scriptUrl: string
  /** Absolute; the page lies in it. */
  readonly scope: string
}

/** The part of the page that addresses count from. */
export interface PageAddress {
  /** Without a fragment. */
  readonly href: string
  /** What relative addresses count from: a `base` element can change it. */
  readonly baseUrl: string
}

/**
 * @throws {MockError} `INVALID_OPTION` naming the option; `WORKER_START` where such a worker could never serve the page.
 */
export function parseWorkerScript(options: WorkerOptions, page: PageAddress): WorkerScript {
  const scriptUrl = parseUrl('workerUrl', options.workerUrl ?? '/mockServiceWorker.js', page)
  const scope = options.scope === undefined ? new URL('.', scriptUrl).href : parseUrl('scope', options.scope, page)
  assertServes({ scriptUrl, scope }, page)
  return { scriptUrl, scope }
}

function parseUrl(name: 'workerUrl' | 'scope', value: string, { baseUrl }: PageAddress): string {
  const url = typeof value === 'string' ? URL.parse(value, baseUrl) : null
  if (url === null) throw createOptionError(name, `must be an address, got ${quote(value)}.`)
  url.hash = ''
  return url.href
}

/**
 * Asked before anything is registered, since a worker that does not serve the page cannot be told from one that a hard
 * reload went past, and msw reloads the page again and again in the hope of the latter.
 */
function assertServes({ scriptUrl, scope }: WorkerScript, page: PageAddress): void {
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

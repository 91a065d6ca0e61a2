import { quote } from '../../http/quote.ts'
import { createWorkerError } from './worker-error.ts'
import { createOptionError, type WorkerOptions } from './worker-options.ts'

/** The URL of the worker script, and its scope. */
export interface WorkerScript {
  /** Absolute. */
  readonly scriptUrl: string
  /** Absolute; contains the page. */
  readonly scope: string
}

/** The page's URLs that others are relative to. */
interface PageAddress {
  /** Without a fragment. */
  readonly href: string
  /** The base of relative URLs, which a `base` element can change. */
  readonly baseUrl: string
}

/**
 * @throws {MockError} `INVALID_OPTION` naming the option; `WORKER_START` if such a worker could never control the page.
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
 * Checked before anything is registered: a worker that cannot control the page looks like one that a hard reload
 * bypassed, which makes msw reload the page in a loop.
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

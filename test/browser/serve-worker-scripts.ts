import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { bundlePage } from './bundle-page.ts'

interface Served {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The URL of a script that changes with each POST to it. Each query is a separate script. */
const CHANGING = '/changing.js'
const SCRIPT = script(readFileSync(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8'))
const PAGE = '<!doctype html><title>A page of its own</title>'

/** Responses of real sites at the URL of a worker script. */
const SERVED: Readonly<Record<string, Served>> = {
  '/mockServiceWorker.js': SCRIPT,
  '/folder/mockServiceWorker.js': SCRIPT,
  '/msw-2.js': script(SCRIPT.body.replace(/PACKAGE_VERSION = '.*'/, "PACKAGE_VERSION = '2.10.4'")),
  '/deaf.js': script(SCRIPT.body.replace("addEventListener('fetch'", "addEventListener('never'")),
  '/another-worker.js': script('addEventListener("install", () => skipWaiting())'),
  '/broken.js': script('throw new Error("A worker that does not start")'),
  '/index.html.js': { type: 'text/html', body: PAGE },
  '/site/': { type: 'text/html', body: PAGE },
  '/site/strict-connect': { type: 'text/html', body: PAGE, headers: withPolicy("connect-src 'self'") },
  '/site/sandboxed': { type: 'text/html', body: PAGE, headers: withPolicy('sandbox allow-scripts') },
  '/site/strict-worker': { type: 'text/html', body: PAGE, headers: withPolicy("worker-src 'none'") },
}

/** Serves msw's worker script as a site's public folder would, without a copy of it in the repository, and what pages run. */
export function serveWorkerScripts(): Plugin {
  return {
    name: 'serve-worker-scripts',
    configureServer({ middlewares }) {
      const changes = new Map<string | undefined, number>()
      let bundling: ReturnType<typeof bundlePage> | undefined
      middlewares.use(CHANGING, (request, response) => {
        const change = (changes.get(request.url) ?? 0) + (request.method === 'POST' ? 1 : 0)
        changes.set(request.url, change)
        send({ ...SCRIPT, body: `${SCRIPT.body}// change ${change}` }, response)
      })
      middlewares.use('/site', async (request, response, next) => {
        if (!request.url?.endsWith('.js')) return next()
        bundling ??= bundlePage(new URL('pages.ts', import.meta.url))
        send(script((await bundling).get(request.url.slice(1)) ?? ''), response)
      })
      middlewares.use((request, response, next) => {
        const served = SERVED[(request.url ?? '').replace(/\?.*/, '')]
        if (served === undefined) return next()
        send(served, response)
      })
    },
  }
}

function send({ type, headers, body }: Served, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': type, ...headers }).end(body)
}

function withPolicy(policy: string): Readonly<Record<string, string>> {
  return { 'content-security-policy': policy }
}

function script(body: string): Served {
  return { type: 'text/javascript', body }
}

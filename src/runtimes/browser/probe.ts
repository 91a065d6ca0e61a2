import type { RequestHandler } from 'msw'
import type { Msw } from './load-msw.ts'
import { createWorkerError } from './worker-error.ts'

/** A request that only the worker of this start can answer. */
export interface Probe {
  readonly handler: RequestHandler
  /** @throws {MockError} `WORKER_START` if the request bypassed the worker. */
  send(deadline: AbortSignal): Promise<void>
}

/** On the page's own origin, which the mock itself may not cover, and with an unguessable path. */
export function createProbe(origin: string, { http }: Msw): Probe {
  const token = crypto.randomUUID()
  const url = `${origin}/_mock/worker/${token}`
  return {
    handler: http.get(
      ({ request }) => request.url === url,
      () => new Response(token, { headers: { 'cache-control': 'no-store' } }),
    ),
    async send(signal) {
      const text = await fetch(url, { signal })
        .then((answer) => answer.text())
        .catch(throwUnanswered)
      if (text !== token) throwUnanswered()
    },
  }
}

function throwUnanswered(cause?: unknown): never {
  throw createWorkerError(
    "the worker runs, but a request of this page did not come back from it. Take the workers of this site out in the browser's developer tools, and reload the page.",
    cause,
  )
}

import type { RequestHandler } from 'msw'
import { http } from 'msw/http'

/** What the msw handlers are made of. */
export interface MswHandlersOptions {
  /** Whether a request is for the double. */
  readonly covers: (url: URL) => boolean
  readonly fetch: (request: Request) => Promise<Response>
}

/** The service as msw handlers: one, which answers all that the double covers and nothing else. */
export function createMswHandlers({ covers, fetch }: MswHandlersOptions): readonly RequestHandler[] {
  return [
    http.all(
      ({ request }) => covers(new URL(request.url)),
      // What rejects a fetch, an abort or a network error, is no fault of the handler.
      ({ request }) => fetch(request).catch(() => Response.error()),
    ),
  ]
}

import { DEFAULT_SANDBOX, findSandbox } from '../../auth/authenticator.ts'
import { type ControlOptions, TRANSPORT } from '../../client/ask-control.ts'
import type { RemoteMock } from '../../client/connect-mock.ts'
import { type BaseUrls, DEFAULT_BASE_URL, isCovered } from '../../http/base-url.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import { fetch } from '../../http/globals.ts'
import { toFetchReason } from '../../http/hide-credentials.ts'
import { toEndToEndHeaders, toFetchedHeaders } from '../../http/outcome.ts'
import { toResponse } from '../../http/wire-response.ts'
import { type Mock, type MockService, toService } from '../../service/mock.ts'

type Transport = Pick<ControlOptions, 'url' | 'sandbox' | 'fetch'>

/** What answers the requests of a process or a page: a mock, here or elsewhere. */
export interface Target
  extends Pick<MockService, 'bases' | 'covers'>,
    Partial<Pick<MockService, 'sandboxes' | 'handlers'>> {
  readonly fetch: (request: Request) => Promise<Response>
  /** The origin of a mock that runs elsewhere. Requests to it go there anyway. */
  readonly origin?: string
}

/** @throws {MockError} `INVALID_OPTION` for anything but a mock. */
export function toTarget(mock: Mock | RemoteMock, failure: string, sandbox?: string): Target {
  const { [TRANSPORT]: transport } = (mock ?? {}) as { readonly [TRANSPORT]?: Transport }
  if (transport === undefined) {
    const { bases, covers, sandboxes, handlers, fetch } = toService(mock as Mock, failure)
    return { bases, covers, sandboxes, handlers, fetch }
  }
  const { origin, pathname } = transport.url
  const bases: BaseUrls = [{ origin: undefined, path: pathname === '/' ? DEFAULT_BASE_URL : pathname }]
  const covers = (url: URL): boolean => url.origin !== origin && isCovered(url, bases)
  return { bases, covers, origin, fetch: (request) => forward(request, { ...transport, ...(sandbox && { sandbox }) }) }
}

/** Sends a request to a mock elsewhere, and to its sandbox unless the request names another one. */
async function forward(request: Request, { url, sandbox, fetch: send = fetch }: Transport): Promise<Response> {
  const { method, signal } = request
  const { pathname, search } = new URL(request.url)
  const headers = toEndToEndHeaders(request.headers)
  const isNamed = findSandbox(headers.get('baggage') ?? '') !== undefined
  if (sandbox !== DEFAULT_SANDBOX && !isNamed) headers.append('baggage', `petstore-mock-sandbox=${sandbox}`)
  // Browsers stream a body over HTTP/2 alone.
  const sent = 'document' in globalThis ? await request.arrayBuffer() : request.body
  const body = sent instanceof ArrayBuffer && sent.byteLength === 0 ? null : sent
  const init = { method, headers, signal, redirect: 'manual', body, duplex: 'half' } as RequestInit
  try {
    const response = await send(new URL(pathname + search, url), init)
    const { status, statusText, body } = response
    if (status === 0) return Response.error()
    const received = toFetchedHeaders(response)
    const length = response.headers.get('content-length')
    if (length !== null && !response.headers.has('content-encoding')) received.set('content-length', length)
    return new Response(body, { status, statusText, headers: received })
  } catch (error) {
    // Any other error is that of a fault.
    if (((error as Error).cause as { code?: unknown } | undefined)?.code !== 'ECONNREFUSED') throw error
    const message = `Failed to reach the mock at ${url.origin}: ${toFetchReason(error)}. Is it running there?`
    console.error(`petstore-mock: ${message}`)
    return toResponse(createErrorResponse('bad_gateway', message), method)
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isBelow } from '../../http/base-url.ts'
import { answerPreflight, CORS_HEADERS, isPreflight } from '../../http/cors.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import type { Outcome } from '../../http/outcome.ts'
import { isControlPath } from '../../http/router.ts'
import type { Awaitable, WireRequest } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import type { MockService } from '../../service/mock-service.ts'
import type { ServerExchange } from './exchange.ts'
import { guardControl } from './guard-control.ts'
import { toNodeRequest } from './node-request.ts'
import { type ConsoleFiles, isConsolePath, isRootPath } from './page-files.ts'
import { isControlOn, type ParsedServeOptions } from './serve-options.ts'

/** The parts of a mock that a server needs. Without `bases`, it answers every path. */
export type ServedMock = Pick<MockService, 'answer'> & Partial<Pick<MockService, 'bases' | 'sandboxes'>>

/** What a server answers with. */
export interface Served {
  readonly mock: ServedMock
  readonly files: ConsoleFiles
  readonly options: ParsedServeOptions
  /** The names of the server. */
  readonly hosts: readonly string[]
}

/** The outcome of a request: of the console's files, the control API or the service. */
export function answerExchange({ mock, files, options, hosts }: Served, exchange: ServerExchange): Awaitable<Outcome> {
  const { request: incoming, response } = exchange
  if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
    return createErrorResponse('invalid_request', 'A request of HTTP/1.1 needs a Host header')
  }
  const request = toNodeRequest(exchange, hosts)
  if (request === undefined) return createErrorResponse('invalid_request', 'The target of the request is not a URL')
  if (isControlPath(request.path)) {
    const isPage = isConsolePath(request.path)
    const refusal = refuseControl(incoming, { ...options, isPage, hosts })
    return refusal ?? (isPage ? files.answer(request) : mock.answer(request))
  }
  const { bases } = mock
  if (bases === undefined || isBelow(bases, request.path) || !isRootPath(request.path)) {
    return answerService(mock, { request, response })
  }
  const answered = files.answerRoot(request, { isConsoleOn: isControlOn(options) })
  return answered.then((file) => file ?? answerService(mock, { request, response }))
}

function answerService(
  mock: ServedMock,
  { request, response }: { readonly request: WireRequest; readonly response: ServerResponse },
): Awaitable<Outcome> {
  // Only pages send an Origin.
  if (request.header('origin') === undefined) return mock.answer(request)
  if (isPreflight(request)) return answerPreflight(request)
  allowOrigin(response)
  return mock.answer(request)
}

function allowOrigin(response: ServerResponse): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
}

/** A browser cannot send the token when it opens the console; the page asks for it. */
function refuseControl(
  request: IncomingMessage,
  { isPage, hosts, ...options }: ParsedServeOptions & Pick<Served, 'hosts'> & { readonly isPage: boolean },
): WireResponse | undefined {
  const { control, controlToken } = options
  if (isControlOn(options)) return guardControl(request, { hosts, token: isPage ? undefined : controlToken })
  if (!control) return createErrorResponse('not_found', 'The control API is turned off')
  return createErrorResponse(
    'not_found',
    'The control API is off: it needs a control token because the server is not on loopback',
  )
}

/** The host and those of the base URLs. Clients use them, and whoever started the server chose them. */
export function listHosts({ bases }: ServedMock, { host }: ParsedServeOptions): readonly string[] {
  const names = bases?.flatMap(({ origin }) => (origin === undefined ? [] : new URL(origin).hostname)) ?? []
  return [host, ...names]
}

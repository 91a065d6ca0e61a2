import type { IncomingMessage, ServerResponse } from 'node:http'
import { isBelow } from '../../http/base-url.ts'
import { answerPreflight, CORS_HEADERS, isPreflight } from '../../http/cors.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import type { Outcome } from '../../http/outcome.ts'
import { isControlPath } from '../../http/router.ts'
import type { Awaitable, WireRequest } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import type { MockService } from '../../service/mock-service.ts'
import { type ConsoleFiles, isConsolePath, isRootPath } from './console-files.ts'
import type { ServerExchange } from './exchange.ts'
import { guardControl } from './guard-control.ts'
import { toNodeRequest } from './node-request.ts'
import { isControlOn, type ParsedServeOptions } from './serve-options.ts'

/** The parts of a mock that a server needs. Without `bases`, it answers every path. */
export type ServedMock = Pick<MockService, 'answer'> & Partial<Pick<MockService, 'bases'>>

/** What a server answers with. */
export interface Served {
  readonly mock: ServedMock
  readonly files: ConsoleFiles
  readonly options: ParsedServeOptions
}

/** The outcome of a request: of the console's files, the control API or the service. */
export function answerExchange({ mock, files, options }: Served, exchange: ServerExchange): Awaitable<Outcome> {
  const { request, response } = exchange
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return createErrorResponse('invalid_request', 'A request of HTTP/1.1 needs a Host header')
  }
  const call = toNodeRequest(exchange)
  if (call === undefined) return createErrorResponse('invalid_request', 'The target of the request is not a URL')
  if (isControlPath(call.path)) {
    const isPage = isConsolePath(call.path)
    const refusal = refuseControl(request, { ...options, isPage })
    return refusal ?? (isPage ? files.answer(call) : mock.answer(call))
  }
  const { bases } = mock
  if (bases === undefined || isBelow(bases, call.path) || !isRootPath(call.path)) {
    return answerService(mock, { call, response })
  }
  const answered = files.answerRoot(call, { isConsoleOn: isControlOn(options) })
  return answered.then((answer) => answer ?? answerService(mock, { call, response }))
}

function answerService(
  mock: ServedMock,
  { call, response }: { readonly call: WireRequest; readonly response: ServerResponse },
): Awaitable<Outcome> {
  // Only pages send an Origin.
  if (call.header('origin') === undefined) return mock.answer(call)
  if (isPreflight(call)) return answerPreflight(call)
  allowOrigin(response)
  return mock.answer(call)
}

function allowOrigin(response: ServerResponse): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
}

/** A browser cannot send the token when it opens the console; the page asks for it. */
function refuseControl(
  request: IncomingMessage,
  { isPage, ...options }: ParsedServeOptions & { readonly isPage: boolean },
): WireResponse | undefined {
  const { host, control, controlToken } = options
  if (isControlOn(options)) return guardControl(request, { host, token: isPage ? undefined : controlToken })
  if (!control) return createErrorResponse('not_found', 'The control API is turned off')
  return createErrorResponse(
    'not_found',
    'The control API is off: it needs a control token because the server is not on loopback',
  )
}

import type { IncomingMessage } from 'node:http'
import { isBelow } from '../../http/base-url.ts'
import { answerPreflight, CORS_HEADERS, isPreflight } from '../../http/cors.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import type { Outcome } from '../../http/outcome.ts'
import { isControlPath } from '../../http/router.ts'
import type { Awaitable } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import type { MockService } from '../../service/mock-service.ts'
import type { Exchange } from './exchange.ts'
import { guardControl } from './guard-control.ts'
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
export function answerExchange({ mock, files, options, hosts }: Served, exchange: Exchange): Awaitable<Outcome> {
  const { request, path } = exchange
  const { bases } = mock
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return createErrorResponse('invalid_request', 'A request of HTTP/1.1 needs a Host header')
  }
  if (path === '') return createErrorResponse('invalid_request', 'The target of the request is not a URL')
  if (isControlPath(path)) {
    const isPage = isConsolePath(path)
    const refusal = refuseControl(request, { ...options, isPage, hosts })
    return refusal ?? (isPage ? files.answer(exchange) : mock.answer(exchange))
  }
  if (bases === undefined || isBelow(bases, path) || !isRootPath(path)) return answerService(mock, exchange)
  const answered = files.answerRoot(exchange, { isConsoleOn: isControlOn(options) })
  return answered.then((file) => file ?? answerService(mock, exchange))
}

function answerService(mock: ServedMock, exchange: Exchange): Awaitable<Outcome> {
  // Only pages send an Origin.
  if (exchange.header('origin') === undefined) return mock.answer(exchange)
  if (isPreflight(exchange)) return answerPreflight(exchange)
  for (const [name, value] of Object.entries(CORS_HEADERS)) exchange.response.setHeader(name, value)
  return mock.answer(exchange)
}

/** A browser cannot send the token when it opens the console; the page asks for it. */
function refuseControl(
  request: IncomingMessage,
  options: ParsedServeOptions & Pick<Served, 'hosts'> & { readonly isPage: boolean },
): WireResponse | undefined {
  const { hosts, isPage, control, controlToken } = options
  if (isControlOn(options)) {
    return guardControl(request, { hosts, token: isPage ? undefined : controlToken })
  }
  const off = 'The control API is off: it needs a control token because the server is not on loopback'
  return createErrorResponse('not_found', control ? off : 'The control API is turned off')
}

/** The host and those of the base URLs. Clients use them, and whoever started the server chose them. */
export function listHosts({ bases }: ServedMock, { host }: ParsedServeOptions): readonly string[] {
  const names = bases?.flatMap(({ origin }) => (origin === undefined ? [] : new URL(origin).hostname)) ?? []
  return [host, ...names]
}

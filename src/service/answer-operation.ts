import type { AuthResult } from '../auth/authenticator.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import type { Outcome } from '../http/outcome.ts'
import { refuseMethod } from '../http/router.ts'
import { type Awaitable, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { readRequest } from '../operations/read-request.ts'
import { answerByUser } from './answer-by-user.ts'
import type { ParsedOptions } from './mock-options.ts'
import { type RequestContext, readBody } from './request-context.ts'
import type { StubRoute } from './stubs.ts'

/** Checks the key if an operation matches. Then come the user's handlers, stubs and proxy, and at last the operation. */
export function answerOperation(context: RequestContext, options: ParsedOptions): Awaitable<Outcome> {
  const { auth, operation, sandbox } = context
  if (operation !== undefined && auth.kind !== 'valid') return refuseKey(auth)
  const handlers = [...sandbox.handlers, ...options.handlers]
  const stub = options.findStub?.(context.request.method, context.pathBelow)
  const proxy = isSpecified(context) || stub !== undefined ? undefined : options.proxy
  const answer = (): Awaitable<Outcome> =>
    stub === undefined ? answerByContract(context, options) : answerByStub(context, stub)
  if (handlers.length === 0 && proxy === undefined) return answer()
  return answerByUser(context, { handlers, proxy }).then((outcome) => outcome ?? answer())
}

/** Whether the specification shows the responses. A 405 follows from it, too. */
function isSpecified({ match }: RequestContext): boolean {
  return match.kind === 'found' ? match.route.specified : match.kind === 'wrong-method'
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function refuseKey({ kind }: AuthResult): WireResponse {
  const challenge = 'Bearer realm="petstore"'
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    'www-authenticate': kind === 'invalid' ? `${challenge}, error="invalid_token"` : challenge,
  })
}

function answerByStub({ auth, exchange }: RequestContext, { needsKey, response }: StubRoute): WireResponse {
  if (needsKey && auth.kind !== 'valid') return refuseKey(auth)
  exchange.isStubbed = true
  return response
}

function answerByContract(
  context: RequestContext,
  { quantity: quantityRange }: ParsedOptions,
): Awaitable<WireResponse> {
  const { request, match, sandbox } = context
  const { method, path } = request
  if (match.kind === 'unknown') {
    return createErrorResponse('not_found', `There is no route ${method} ${hideInAddress(path)}`)
  }
  if (match.kind === 'wrong-method') return refuseMethod({ method, path }, match.allow)
  const { route: operation, params } = match
  const source = {
    header: (name: string) => request.header(name),
    readBody: (limit: number) => readBody(context, limit),
  }
  return whenReady(readRequest(source, { operation, params }), (read) =>
    'problem' in read
      ? createErrorResponse('invalid_request', read.problem)
      : operation.answer(read, { state: sandbox.state, quantityRange }),
  )
}

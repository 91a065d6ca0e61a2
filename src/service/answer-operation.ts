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

/** Checks the key if an operation matches, then asks the user's handlers and proxy, then the operation. */
export function answerOperation(context: RequestContext, options: ParsedOptions): Awaitable<Outcome> {
  const { auth, operation, sandbox } = context
  if (operation !== undefined && auth.kind !== 'valid') return refuseKey(auth)
  const handlers = [...sandbox.handlers, ...options.handlers]
  const proxy = isSpecified(context) ? undefined : options.proxy
  if (handlers.length === 0 && proxy === undefined) return answerByContract(context, options)
  return answerByUser(context, { handlers, proxy }).then((outcome) => outcome ?? answerByContract(context, options))
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

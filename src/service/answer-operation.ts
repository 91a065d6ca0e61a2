import type { AuthResult } from '../auth/authenticator.ts'
import { createErrorResponse } from '../http/error-response.ts'
import type { Outcome } from '../http/outcome.ts'
import { refuseMethod } from '../http/router.ts'
import { type Awaitable, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Rules } from '../inventory/profile.ts'
import { answerInOrder } from '../operations/answer-in-order.ts'
import { createUnspecifiedResponse } from '../operations/define-operation.ts'
import { answerByUser } from './answer-by-user.ts'
import { explainLackingBase, explainMissingRoute } from './explain-missing-route.ts'
import type { ParsedOptions } from './parse-options.ts'
import { type RequestContext, readBody } from './request-context.ts'
import { addStubMethods, type StubRoute } from './stubs.ts'

/** Checks the key if an operation matches. Then come the user's handlers, stubs and proxy, and at last the operation. */
export function answerOperation(context: RequestContext, options: ParsedOptions): Awaitable<Outcome> {
  const { operation, sandbox } = context
  // The user's handlers and stubs never get a request without a valid key, whatever the order of the errors.
  if (operation !== undefined && !hasKey(context, options.rules)) return answerByContract(context, options)
  const handlers = [...sandbox.handlers, ...options.handlers]
  const stub = options.findStub?.(context.request.method, context.pathBelow)
  const proxy = isSpecified(context) || stub !== undefined ? undefined : options.proxy
  const answer = (): Awaitable<Outcome> =>
    stub === undefined ? answerByContract(context, options) : answerByStub(context, { stub, rules: options.rules })
  if (handlers.length === 0 && proxy === undefined) return answer()
  return answerByUser(context, { handlers, proxy }).then((outcome) => outcome ?? answer())
}

/** Whether the specification shows the responses. A 405 follows from it, too. */
function isSpecified({ match }: RequestContext): boolean {
  return match.kind === 'found' ? match.route.specified : match.kind === 'wrong-method'
}

function hasKey({ auth, request }: RequestContext, { lowerCaseScheme }: Rules): boolean {
  if (auth.kind !== 'valid') return false
  return lowerCaseScheme === 'accept' || request.header('authorization')?.startsWith('Bearer ') === true
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function refuseKey({ kind }: AuthResult, { challenge, codes }: Rules): WireResponse {
  const realm = 'Bearer realm="petstore"'
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    sentCode: codes[401],
    ...(challenge === 'send' && {
      headers: { 'www-authenticate': kind === 'invalid' ? `${realm}, error="invalid_token"` : realm },
    }),
  })
}

function answerByStub(context: RequestContext, { stub, rules }: { stub: StubRoute; rules: Rules }): WireResponse {
  if (stub.needsKey && !hasKey(context, rules)) return refuseKey(context.auth, rules)
  context.exchange.isStubbed = true
  return stub.response
}

function answerByContract(context: RequestContext, options: ParsedOptions): Awaitable<WireResponse> {
  const { rules, findStub } = options
  const { request, match, sandbox, auth } = context
  const { method, path } = request
  if (match.kind === 'unknown') return createErrorResponse('not_found', explainMissingRoute(context, options))
  if (match.kind === 'wrong-method') {
    return refuseMethod({ method, path }, addStubMethods(match.allow, { findStub, path: context.pathBelow }))
  }
  const { route: operation, params } = match
  const source = {
    header: (name: string) => request.header(name),
    readBody: (limit: number) => readBody(context, limit),
  }
  const isAllowed = hasKey(context, rules)
  const answer = answerInOrder({
    operation,
    params,
    request: source,
    state: sandbox.state,
    rules,
    refuseKey: isAllowed ? undefined : () => refuseKey(auth, rules),
  })
  const hint = operation.specified ? undefined : explainLackingBase(context, options)
  if (hint === undefined) return answer
  return whenReady(answer, (response) =>
    response.status === 501 ? createUnspecifiedResponse(operation, hint) : response,
  )
}

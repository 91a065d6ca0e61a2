import type { AuthResult } from '../auth/authenticator.ts'
import { CHALLENGE, createErrorResponse } from '../http/error-response.ts'
import type { Outcome } from '../http/outcome.ts'
import { refuseMethod } from '../http/router.ts'
import type { Awaitable } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Rules } from '../inventory/profile.ts'
import { createUnspecifiedResponse, hasSpecifiedResponse } from '../operations/operations.ts'
import { runOperation } from '../operations/run-operation.ts'
import { answerByUser } from './answer-by-user.ts'
import { explainHandler, explainMissingRoute, suggestPath } from './explain-missing-route.ts'
import type { ParsedOptions } from './parse-options.ts'
import { type RequestContext, readBody } from './request-context.ts'
import { addStubMethods, type FoundStub } from './stubs.ts'

/**
 * Checks the key of a request to an operation. Then tries the user's handlers, the stubs and the proxy, and finally the
 * operation.
 */
export function answerOperation(context: RequestContext, options: ParsedOptions): Awaitable<Outcome> {
  const { operation, sandbox } = context
  const refuseKey = hasKey(context, options.rules) ? undefined : () => createKeyResponse(context.auth, options.rules)
  // The user's handlers and stubs never get a request without a valid key, whatever the order of the errors.
  if (operation !== undefined && refuseKey !== undefined) return answerByContract(context, { options, refuseKey })
  const handlers = [...sandbox.handlers, ...options.handlers]
  const stub = options.findStub?.(context.request.method, context.pathBelow)
  const proxy = stub === undefined ? findProxy(context, options) : undefined
  const answer = (): Awaitable<Outcome> =>
    stub === undefined ? answerByContract(context, { options, refuseKey }) : answerByStub(context, { stub, refuseKey })
  if (handlers.length === 0 && proxy === undefined) return answer()
  return answerByUser(context, { handlers, proxy }).then((outcome) => outcome ?? answer())
}

/** The proxy gets what the specification does not define. Without one, the route is not matched again. */
function findProxy({ request, pathBelow }: RequestContext, { proxy }: ParsedOptions): ParsedOptions['proxy'] {
  if (proxy === undefined || hasSpecifiedResponse(request.method, pathBelow)) return undefined
  return proxy
}

function hasKey({ auth, request }: RequestContext, { lowerCaseScheme }: Rules): boolean {
  if (auth.kind !== 'valid') return false
  return lowerCaseScheme === 'accept' || request.header('authorization')?.startsWith('Bearer ') === true
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function createKeyResponse({ kind }: AuthResult, { challenge, codes }: Rules): WireResponse {
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    sentCode: codes[401],
    ...(challenge === 'send' && {
      headers: { 'www-authenticate': kind === 'invalid' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
    }),
  })
}

/** Creates the 401; `undefined` with a valid key. */
type RefuseKey = (() => WireResponse) | undefined

function answerByStub(
  context: RequestContext,
  { stub, refuseKey }: { readonly stub: FoundStub; readonly refuseKey: RefuseKey },
): WireResponse {
  if (stub.needsKey && refuseKey !== undefined) return refuseKey()
  context.exchange.isStubbed = true
  return stub.createResponse()
}

function answerByContract(
  context: RequestContext,
  { options, refuseKey }: { readonly options: ParsedOptions; readonly refuseKey: RefuseKey },
): Awaitable<WireResponse> {
  const { rules, findStub } = options
  const { request, match, sandbox } = context
  const { method, path } = request
  if (match.kind === 'unknown') return createErrorResponse('not_found', explainMissingRoute(context, options))
  if (match.kind === 'wrong-method') {
    const allow = addStubMethods(match.allow, { findStub, path: context.pathBelow })
    return refuseMethod({ method, path }, allow, suggestPath(context, options))
  }
  const { route: operation, params } = match
  const hint = operation.specified || refuseKey !== undefined ? undefined : explainHandler(context, options)
  if (hint !== undefined) return createUnspecifiedResponse(operation, hint)
  const source = {
    header: (name: string) => request.header(name),
    readBody: () => readBody(context),
  }
  return runOperation({ operation, params, request: source, state: sandbox.state, rules, refuseKey })
}

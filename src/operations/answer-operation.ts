import type { Credential } from '../auth/authenticator.ts'
import type { Awaitable } from '../http/awaitable.ts'
import { createErrorAnswer } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { refuseMethod } from '../http/router.ts'
import type { Call } from '../http/wire-request.ts'
import type { Answer } from '../http/wire-response.ts'
import type { OperationContext } from './operation-handler.ts'
import { OPERATION_HANDLERS } from './operations.ts'
import type { Route } from './route.ts'

/** What the service has at hand for every call. */
export interface ServiceContext extends Pick<OperationContext, 'state' | 'quantityRange' | 'sunset'> {
  readonly credential: Credential
  /** Where the call's method and path lead. */
  readonly route: Route
}

/** The service by its contract, in the order of its answers: route, key, and then the operation's own checks. */
export function answerOperation(
  call: Pick<Call, 'method' | 'path' | 'header' | 'readBody'>,
  { credential, route, state, quantityRange, sunset }: ServiceContext,
): Awaitable<Answer> {
  if (route.kind === 'unknown') {
    return createErrorAnswer('not_found', `There is no route ${call.method} ${hideInAddress(call.path)}`)
  }
  if (route.kind === 'wrong-method') return refuseMethod(call, route.allow)
  if (credential.kind !== 'valid') return refuseKey(credential)
  const { route: operation, params } = route
  return OPERATION_HANDLERS[operation.id]({ call, operation, params, state, quantityRange, sunset })
}

/** RFC 6750, section 3.1: `error` is left out where no token was sent. */
function refuseKey({ kind }: Credential): Answer {
  const challenge = 'Bearer realm="petstore"'
  return createErrorAnswer('unauthorized', 'API key is missing or invalid', {
    'www-authenticate': kind === 'invalid' ? `${challenge}, error="invalid_token"` : challenge,
  })
}

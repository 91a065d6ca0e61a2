import { isSandboxName } from '../../auth/authenticator.ts'
import { isJsonObject } from '../../http/exact-json.ts'
import { CONTROL_PATH } from '../../http/router.ts'
import { BODY_TOO_LARGE } from '../../http/wire-request.ts'
import { ControlError } from './control-error.ts'
import type { ControlContext } from './define-control-route.ts'

type Route = ControlContext['route']

/** In bytes. Enough to find a `sandbox` in a body that is refused anyway. */
const LARGEST_REFUSED = 1024

/**
 * Accepts no body or an empty object. A sandbox named in an ignored body would silently be the default one.
 * @throws {ControlError} for any other body.
 */
export async function assertNoBody({ request, route }: Pick<ControlContext, 'request' | 'route'>): Promise<void> {
  const body = await request.readBody(LARGEST_REFUSED)
  const text = body === BODY_TOO_LARGE ? 'too large' : new TextDecoder().decode(body)
  if (/^\s*(\{\s*\}\s*)?$/.test(text)) return
  const value = parse(text)
  const hint = hasSandbox(value) && takesSandbox(route) ? `. ${explainQuery(value)}` : ''
  throw new ControlError('invalid_request', `${toName(route)} takes no body${hint}`)
}

/** @throws {ControlError} when a body has the property `sandbox`, which no body of the control API has. */
export function refuseSandbox(body: unknown, route: Route): void {
  if (!hasSandbox(body)) return
  const why = takesSandbox(route) ? explainQuery(body) : 'It concerns the whole mock'
  throw new ControlError('invalid_request', `sandbox is not known in the body of ${toName(route)}. ${why}`)
}

function explainQuery({ sandbox }: { readonly sandbox: unknown }): string {
  return `The sandbox belongs in the query: ?sandbox=${isSandboxName(sandbox) ? sandbox : 'NAME'}`
}

function hasSandbox(body: unknown): body is { readonly sandbox: unknown } {
  return isJsonObject(body) && Object.hasOwn(body, 'sandbox')
}

function takesSandbox({ query }: Route): boolean {
  return query.includes('sandbox')
}

function toName({ method, path }: Route): string {
  return `${method} ${CONTROL_PATH}${path}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { isCommonAssetRequest } from 'msw'
import { type DefineNetworkOptions, HttpNetworkFrame } from 'msw/experimental'
import type { UnhandledRequest } from '../shared/unhandled-request.ts'

export type FrameRule = NonNullable<DefineNetworkOptions<[]>['onUnhandledFrame']>

/**
 * msw's own rules of these names would also fail the page's WebSockets, a dev server's among them, and answer a failed
 * request with a 500 that holds a stack. A thrown `Response.error()` is a request that finds no network.
 */
export function toFrameRule(rule: UnhandledRequest): FrameRule {
  if (rule === 'bypass') return rule
  return ({ frame, defaults }) => {
    if (!(frame instanceof HttpNetworkFrame) || isCommonAssetRequest(frame.data.request)) return
    defaults[rule]()
    if (rule === 'error') throw Response.error()
  }
}

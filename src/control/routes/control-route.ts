import type { BaseUrl } from '../../http/base-url.ts'
import type { ByteBudget } from '../../http/byte-budget.ts'
import type { FetchOutcome } from '../../http/outcome.ts'
import type { PathParams } from '../../http/router.ts'
import type { WireRequest } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import type { Delay } from '../../sandbox/clock.ts'
import type { EventFeeds } from '../../sandbox/event-feed.ts'
import type { Metrics } from '../../sandbox/metrics.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { Sandboxes } from '../../sandbox/sandboxes.ts'

/** What a control route has at hand. */
export interface ControlContext {
  readonly call: WireRequest
  readonly params: PathParams
  /** The sandbox named by `?sandbox=`, else the default one. */
  readonly sandbox: SandboxInternals
  readonly sandboxes: Sandboxes
  /** Saves the state where there is a file for it. */
  readonly saveState: (() => Promise<void>) | undefined
  /** Where the service lies, beside the control API. */
  readonly base: BaseUrl
  /** The mock's own delay, where a sandbox has none. */
  readonly delay: Delay
  readonly metrics: Pick<Metrics, 'write'>
  readonly feeds: EventFeeds
  /** What the bodies of control requests share. */
  readonly uploads: ByteBudget
}

export type ControlOutcome = WireResponse | FetchOutcome

/** One route of the control API. Its errors are thrown as `MockError` and answered in one place. */
export interface ControlRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Its query parameters beside `sandbox`. */
  readonly query?: readonly string[]
  /** Below `/_mock`. */
  readonly path: string
  /** A `fetch-response` is a stream that ends when the client or the server goes. */
  answer(context: ControlContext): ControlOutcome | Promise<ControlOutcome>
}

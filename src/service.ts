import type { RequestHandler } from 'msw'
import { type Answer, toResponse } from './contract/answer.ts'
import { type Call, CallAborted, toCall } from './contract/call.ts'
import { createErrorAnswer } from './contract/error-answer.ts'
import { answerControl, isControlPath } from './control/answer-control.ts'
import type { Sandbox } from './control/sandbox.ts'
import { createSandboxes, type Sandboxes } from './control/sandboxes.ts'
import { answerFromHandlers } from './handlers/answer-from-handlers.ts'
import { answerOperation } from './handlers/answer-operation.ts'
import { createKeyring } from './inventory/keyring.ts'
import { DEFAULT_SANDBOX } from './inventory/sandbox-name.ts'
import { type BaseUrl, type MockOptions, parseOptions } from './mock-options.ts'
import { type FixtureSource, loadSeed } from './store/load-seed.ts'

/** The double without its msw handlers: the controls over the default sandbox, and the way to all others. */
export interface Service extends Sandbox {
  /** Where the service lies. */
  readonly base: BaseUrl
  /** The whole service as a function, with fetch's arguments. Nothing goes over the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The same below fetch's classes, for a runtime. A `Response` comes from a handler of the user's own. */
  answer(call: Call): Promise<Answer | Response>
  /** Whether a request to this address is for the double, in a runtime that sees those to others too. */
  covers(url: URL): boolean
  /**
   * The controls over one sandbox, made on first use.
   * @throws {MockError} `INVALID_SANDBOX` for a name that is not 1 to 64 letters, digits, dots, underscores, hyphens.
   */
  sandbox(name: string): Sandbox
  readonly sandboxes: Pick<Sandboxes, 'size' | 'remove'>
  /**
   * Replaces the seed itself: every sandbox starts again from the fixture.
   * @throws {FixtureError} for a fixture with faults; everything stays.
   */
  reseed(fixture: FixtureSource, name?: string): void
}

/** Makes a double. @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE` */
export function createService(options: MockOptions = {}): Service {
  const { fixture, fixtureName, base, quantityRange, sunset, handlers, ...keys } = parseOptions(options)
  const keyring = createKeyring(keys.apiKeys, keys.anyKey)
  let seed = loadSeed(fixture, fixtureName)
  const sandboxes = createSandboxes({ toApiKey: keyring.toApiKey, getSeed: () => seed })

  /** The stages of every call, in their order. */
  async function answer(call: Call): Promise<Answer | Response> {
    try {
      if (isControlPath(call.url.pathname)) return await answerControl(call, sandboxes)
      const credential = keyring.identify(call.header('authorization'))
      const sandbox = sandboxes.open(credential.kind === 'valid' ? credential.sandbox : DEFAULT_SANDBOX)
      const { response, rest } = await askUser(call, [...sandbox.handlers, ...handlers])
      if (response !== undefined) return response
      const path = toPathBelow(base, call.url)
      return await answerOperation(rest, { credential, path, state: sandbox.state, quantityRange, sunset })
    } catch (error) {
      if (error instanceof CallAborted) throw error
      console.error(error)
      return createErrorAnswer('internal_error', 'The double failed to answer. Its log shows the error')
    }
  }

  async function fetchAnswer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(new URL(input, 'http://localhost'), init)
    request.signal.throwIfAborted()
    const answered = await answer(toCall(request)).catch((error: CallAborted) => {
      throw request.signal.aborted ? request.signal.reason : new TypeError('Failed to fetch', { cause: error.cause })
    })
    request.signal.throwIfAborted()
    if (!(answered instanceof Response)) return toResponse(answered, request.method)
    if (answered.type === 'error') throw new TypeError('Failed to fetch')
    return answered
  }

  return {
    ...sandboxes.default.controls,
    base,
    fetch: fetchAnswer,
    answer,
    covers: (url) => isCovered(url, base),
    sandbox: (name) => sandboxes.open(name).controls,
    sandboxes,
    reseed(next, name = 'custom') {
      seed = loadSeed(next, name)
      for (const { controls } of sandboxes.values()) controls.reset()
    },
  }
}

/** Handlers of the user's own come first; `rest` is the call for those after them, its body still unread. */
async function askUser(
  call: Call,
  handlers: readonly RequestHandler[],
): Promise<{ response?: Response | undefined; rest: Call }> {
  if (handlers.length === 0) return { rest: call }
  const request = call.toRequest()
  const response = await answerFromHandlers(handlers, request.clone())
  return { response, rest: toCall(request) }
}

function isCovered({ origin, pathname }: URL, base: BaseUrl): boolean {
  if (base.origin !== undefined && base.origin !== origin) return false
  return pathname === base.path || pathname.startsWith(`${base.path}/`) || isControlPath(pathname)
}

/** The path below the base path; a path outside it stays as it is and leads nowhere. */
function toPathBelow(base: BaseUrl, { pathname }: URL): string {
  return pathname.startsWith(`${base.path}/`) ? pathname.slice(base.path.length) : `//${pathname}`
}

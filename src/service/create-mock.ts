import { createAuthenticator } from '../auth/authenticator.ts'
import { type BaseUrls, isCovered } from '../http/base-url.ts'
import type { Outcome } from '../http/outcome.ts'
import { toFetchResult } from '../http/to-fetch-result.ts'
import type { Awaitable } from '../http/wire-request.ts'
import { type RequestAborted, toWireRequest, type WireRequest } from '../http/wire-request.ts'
import { type Clock, createClock } from '../sandbox/clock.ts'
import { createEventFeeds } from '../sandbox/event-feed.ts'
import { createChanges, type InventoryChange } from '../sandbox/events.ts'
import { createMetrics } from '../sandbox/metrics.ts'
import { createStateReader } from '../sandbox/read-state-document.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createSandboxes, type Sandboxes } from '../sandbox/sandboxes.ts'
import { writeStateDocument } from '../sandbox/state-document.ts'
import { type FixtureSource, loadSeed } from '../store/load-seed.ts'
import { createUploads } from './limit-body.ts'
import { type MockOptions, parseOptions } from './mock-options.ts'
import { answerRequest } from './pipeline.ts'

/** A stateful mock of the petstore's inventory service. Its own controls are those of its default sandbox. */
export interface Mock extends Sandbox {
  /** The base URLs of the service. Links and logs use the first one. */
  readonly bases: BaseUrls
  /** The whole service as a function with the signature of `fetch`. It does not use the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Like `fetch`, but without its classes, for runtimes. Returns a promise only if it has to wait.
   * @throws {RequestAborted} when the client disconnects.
   */
  answer(request: WireRequest): Awaitable<Outcome>
  /** The time that delays and journal entries use. */
  readonly clock: Clock
  /** Whether a request to this address is for the mock. Some runtimes also see requests to other servers. */
  covers(url: URL): boolean
  /**
   * Controls one sandbox, which is created on first use.
   * @throws {MockError} `INVALID_SANDBOX` unless the name is 1 to 64 letters, digits, dots, underscores and hyphens.
   */
  sandbox(name: string): Sandbox
  /**
   * Serializes the states of all sandboxes: the seed once, and the changes of each sandbox. The length of a string is
   * limited (in V8 to 512 MB, about 20 million changes); `petstore-mock serve --state` writes in pieces, without a
   * limit.
   */
  exportState(): string
  /**
   * Restores the states from `exportState()`, also from an older release. `reset()` still restores the mock's seed.
   * @param origin The name of the text in messages, such as its file name.
   * @throws {FixtureError} when the text is invalid. All states are then unchanged.
   */
  importState(text: string, origin?: string): void
  /**
   * Calls `listener` synchronously for every change of a sandbox's inventory. Returns a function that unsubscribes.
   * @example
   * const stop = mock.onChange(({ sandbox, type }) => console.log(sandbox, type))
   */
  onChange(listener: (change: InventoryChange) => void): () => void
  readonly sandboxes: Sandboxes
  /**
   * Replaces the seed and resets every sandbox to it.
   * @throws {FixtureError} when the fixture is invalid. Nothing is then changed.
   */
  reseed(fixture: FixtureSource, name?: string): void
}

/** Completes a relative URL. Its value does not matter: `mock.fetch` ignores the origin. */
const ANY_ORIGIN = 'http://localhost'

/**
 * Creates an independent mock with its own state, API keys and sandboxes.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE`
 * @example
 * const mock = createMock({ fixture: 'low-stock' })
 * const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${mock.apiKey}` } })
 */
export function createMock(options: MockOptions = {}): Mock {
  const parsed = parseOptions(options)
  const { fixture, fixtureName, baseUrl: bases, apiKeys, anyKey, randomSeed, journalSize, maxSandboxes } = parsed
  const authenticator = createAuthenticator(apiKeys, anyKey)
  const clock = createClock()
  const changes = createChanges()
  let seed = loadSeed(fixture, fixtureName)
  const sandboxes = createSandboxes({
    toApiKey: authenticator.toApiKey,
    getSeed: () => seed,
    randomSeed,
    journalSize,
    maxSandboxes,
    notify: changes.notify,
  })

  const pipeline = {
    options: parsed,
    authenticator,
    sandboxes,
    clock,
    metrics: createMetrics(),
    feeds: createEventFeeds(),
    uploads: createUploads(),
  }
  const answer = (request: WireRequest): Awaitable<Outcome> => answerRequest(request, pipeline)

  async function fetchAnswer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(typeof input === 'string' ? new URL(input, ANY_ORIGIN) : input, init)
    request.signal.throwIfAborted()
    return toFetchResult(await answerFetch(request), request)
  }

  async function answerFetch(request: Request): Promise<Outcome> {
    try {
      return await answer(toWireRequest(request))
    } catch (error) {
      const { cause } = error as RequestAborted
      throw request.signal.aborted ? request.signal.reason : new TypeError('Failed to fetch', { cause })
    }
  }

  return {
    ...sandboxes.default.controls,
    bases,
    clock,
    fetch: fetchAnswer,
    answer,
    covers: (url) => isCovered(url, bases),
    onChange: changes.subscribe,
    sandbox: (name) => sandboxes.open(name).controls,
    sandboxes,
    exportState: () => Array.from(writeStateDocument(sandboxes).lines).join(''),
    importState(text, origin = 'state') {
      const reader = createStateReader({ sandboxes, origin })
      reader.push(text)
      reader.finish()
    },
    reseed(next, name = 'custom') {
      seed = loadSeed(next, name)
      for (const { controls } of sandboxes.values()) controls.reset()
    },
  }
}

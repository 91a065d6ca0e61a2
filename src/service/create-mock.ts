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

/** A stateful mock of the petstore's inventory service: the controls over its default sandbox, and the way to all others. */
export interface Mock extends Sandbox {
  /** Where the service lies; the first is the mock's own. */
  readonly bases: BaseUrls
  /** The whole service as a function, with fetch's arguments. Nothing goes over the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * The same below fetch's classes, for a runtime; a promise only where something has to be waited for. A `Response`
   * comes from a handler of the user's own.
   * @throws {RequestAborted}
   */
  answer(call: WireRequest): Awaitable<Outcome>
  /** The mock's time, by which delays pass. */
  readonly clock: Clock
  /** Whether a request to this address is for the mock, in a runtime that sees those to others too. */
  covers(url: URL): boolean
  /**
   * The controls over one sandbox, made on first use.
   * @throws {MockError} `INVALID_SANDBOX` for a name that is not 1 to 64 letters, digits, dots, underscores, hyphens.
   */
  sandbox(name: string): Sandbox
  /**
   * The states of all sandboxes as a text to keep: the seed once, and what each sandbox changed of it. A text has a limit
   * (V8's is 512 MB, some 20 million changes); `petstore-mock serve --state` writes in pieces and has none.
   */
  exportState(): string
  /**
   * Restores the states of an `exportState()`, also of an older release; `reset()` still goes back to the mock's own seed.
   * @param origin What messages call the text: a file's name.
   * @throws {FixtureError} where the text is none; everything stays.
   */
  importState(text: string, origin?: string): void
  /**
   * Calls `listener` at every change of a sandbox's inventory, when it is made, until what it gives back is called.
   * @example
   * const stop = mock.onChange(({ sandbox, type }) => console.log(sandbox, type))
   */
  onChange(listener: (change: InventoryChange) => void): () => void
  readonly sandboxes: Sandboxes
  /**
   * Replaces the seed itself: every sandbox starts again from the fixture.
   * @throws {FixtureError} for a fixture with faults; everything stays.
   */
  reseed(fixture: FixtureSource, name?: string): void
}

/** A path counts from an origin of no meaning: outside a page there is none. */
const ANY_ORIGIN = 'http://localhost'

/**
 * Makes a mock that shares nothing: its state, keys and sandboxes belong to it alone.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE`
 * @example
 * const mock = createMock({ fixture: 'low-stock' })
 * const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${mock.apiKey}` } })
 */
export function createMock(options: MockOptions = {}): Mock {
  const parsed = parseOptions(options)
  const { fixture, fixtureName, baseUrl: bases, apiKeys, anyKey, randomSeed, journalSize, maxSandboxes } = parsed
  const keyring = createAuthenticator(apiKeys, anyKey)
  const clock = createClock()
  const changes = createChanges()
  let seed = loadSeed(fixture, fixtureName)
  const sandboxes = createSandboxes({
    toApiKey: keyring.toApiKey,
    getSeed: () => seed,
    randomSeed,
    journalSize,
    maxSandboxes,
    notify: changes.notify,
  })

  const pipeline = {
    options: parsed,
    keyring,
    sandboxes,
    clock,
    metrics: createMetrics(),
    feeds: createEventFeeds(),
    uploads: createUploads(),
  }
  const answer = (call: WireRequest): Awaitable<Outcome> => answerRequest(call, pipeline)

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

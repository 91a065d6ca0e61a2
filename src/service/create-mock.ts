import { createAuthenticator } from '../auth/authenticator.ts'
import { isCovered } from '../http/base-url.ts'
import { Budget } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { type Outcome, toFetchResult } from '../http/outcome.ts'
import { callback, parseWith } from '../http/schema.ts'
import { RequestAborted, toWireRequest } from '../http/wire-request.ts'
import type { Process } from '../mutants/apply-mutant.ts'
import { createClock } from '../sandbox/clock.ts'
import { MOST_STREAMS } from '../sandbox/events.ts'
import { Sandboxes } from '../sandbox/sandboxes.ts'
import { restoreState, writeState } from '../sandbox/state-document.ts'
import { Seeds } from '../store/seed.ts'
import { type Mock, type MockService, withService } from './mock.ts'
import { type MockOptions, parseOptions, toUserHandlers } from './mock-options.ts'
import { answerRequest } from './pipeline.ts'
import type { Pipeline } from './request-context.ts'

export type { Mock } from './mock.ts'

/** The Request that each request was made of. Node's signal of the second follows the client's as long as the first is held. */
const GIVEN = new WeakMap<Request, Request>()

const LISTEN = { failure: 'Failed to subscribe to changes', subject: 'the listener' }

/**
 * Creates an independent mock with its own state, API keys and sandboxes.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE`
 * @example
 * const mock = createMock({ fixture: 'low-stock' })
 * const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${mock.apiKey}` } })
 */
export function createMock(options: MockOptions = {}): Mock {
  const parsed = parseOptions(options)
  const { fixture, fixtures, baseUrl: bases, apiKeys, anyKey, randomSeed, journalSize, maxSandboxes } = parsed
  const authenticator = createAuthenticator(apiKeys, anyKey)
  const clock = createClock()
  const seeds = new Seeds(fixture, fixtures)
  const sandboxes = new Sandboxes({ authenticator, seeds, randomSeed, journalSize, maxSandboxes })

  const pipeline: Pipeline = {
    options: parsed,
    authenticator,
    sandboxes,
    clock,
    streams: new Budget(MOST_STREAMS),
    uploads: new Budget(256 * 1024 ** 2),
  }
  const answer = createAnswer(pipeline)

  async function fetchFromMock(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    // Any origin will do.
    const request = new Request(typeof input === 'string' ? new URL(input, 'http://localhost') : input, init)
    if (input instanceof Request) GIVEN.set(request, input)
    const { signal } = request
    signal.throwIfAborted()
    try {
      return await toFetchResult(await answer(toWireRequest(request)), request)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof RequestAborted ? new TypeError('Failed to fetch', { cause: error.cause }) : error
    }
  }

  const controls: Mock = {
    ...sandboxes.default.controls,
    // Like that of a sandbox, it cannot be assigned: requests would not follow.
    get apiKey() {
      return sandboxes.default.controls.apiKey
    },
    clock,
    fetch: fetchFromMock,
    onChange: (listener) => sandboxes.changes.subscribe(parseWith(callback<typeof listener>(), listener, LISTEN)),
    // A sandbox that was evicted is opened again, as by a request with its key.
    sandbox: (name) =>
      new Proxy(sandboxes.open(name).controls, {
        get: (_, property) => Reflect.get(sandboxes.open(name).controls, property),
      }),
    resetAll() {
      for (const { controls } of sandboxes.values()) controls.reset()
    },
    exportState: () => writeState(sandboxes).text,
    importState: (text, origin = 'state') => void restoreState(text, { sandboxes, origin }),
    reseed(next, name) {
      seeds.replace(next, name)
      controls.resetAll()
    },
  }
  const mock = withService(controls, {
    bases,
    sandboxes,
    authenticator,
    answer,
    covers: (url) => isCovered(url, bases),
    setStubs(findStub) {
      pipeline.options.findStub = findStub
    },
  })
  pipeline.options.userHandlers = toUserHandlers(parsed.handlers, mock)
  return mock
}

/** Imports a mutant only if the environment names one, so that no page and no ordinary test suite loads it. */
function createAnswer(pipeline: Pipeline): MockService['answer'] {
  const { process } = globalThis as { readonly process?: Process }
  if (!process?.env?.['PETSTORE_MOCK_MUTANT']) return (request) => answerRequest(request, pipeline)
  const mutant = import('../mutants/apply-mutant.ts').then(({ applyMutant }) => applyMutant(pipeline, process))
  mutant.catch(({ message }: Error) => process.stderr.write(`petstore-mock: ${message}\n`))
  const refuse = ({ message }: Error): Outcome => createErrorResponse('internal_error', message)
  return (request) => mutant.then(() => answerRequest(request, pipeline), refuse)
}

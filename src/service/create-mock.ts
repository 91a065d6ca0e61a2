import { createAuthenticator } from '../auth/authenticator.ts'
import { isCovered } from '../http/base-url.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { toWireRequest } from '../http/fetch-request.ts'
import { toFetchResult, untilAborted } from '../http/fetch-result.ts'
import { clearInterval, setInterval } from '../http/globals.ts'
import type { Outcome } from '../http/outcome.ts'
import { callback, parseWith } from '../http/schema.ts'
import type { Process } from '../mutants/apply-mutant.ts'
import { createClock } from '../sandbox/clock.ts'
import { Sandboxes } from '../sandbox/sandboxes.ts'
import { restoreState, writeState } from '../sandbox/state-document.ts'
import { Seeds } from '../store/seed.ts'
import { answer } from './answer.ts'
import type { Parts } from './exchange.ts'
import { type Mock, type MockService, withService } from './mock.ts'
import { type MockOptions, parseOptions, toUserHandlers } from './mock-options.ts'

export type { Mock } from './mock.ts'

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

  const parts: Parts = {
    options: parsed,
    findStub: parsed.findStub,
    // They need the mock.
    handlers: [],
    authenticator,
    sandboxes,
    clock,
    mutant: undefined,
    streams: new Set(),
  }
  const answerRequest = createAnswer(parts)

  async function answerFetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted()
    return toFetchResult(await answerRequest(toWireRequest(request)), request)
  }

  async function fetchFromMock(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    // Any origin will do.
    const address = typeof input === 'string' ? new URL(input, 'http://localhost') : input
    const request = input instanceof Request && init === undefined ? input : new Request(address, init)
    const answered = answerFetch(request)
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    if (signal === undefined) return answered
    // Keeps the process and the signal alive while the request waits, as a connection would. `AbortSignal.timeout` does not.
    const alive = setInterval(() => void request, 2 ** 31 - 1)
    return untilAborted(answered, signal).finally(() => clearInterval(alive))
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
    sandbox: (name) => sandboxes.open(name).controls,
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
    answer: answerRequest,
    fetch: answerFetch,
    covers: (url) => isCovered(url, bases),
    get handlers() {
      return parts.handlers
    },
    setStubs(findStub) {
      parts.findStub = findStub
    },
  })
  parts.handlers = toUserHandlers(parsed.handlers, mock)
  return mock
}

/** Imports a mutant only if the environment names one, so that no page and no ordinary test suite loads it. */
function createAnswer(parts: Parts): MockService['answer'] {
  const { process } = globalThis as { readonly process?: Process }
  if (!process?.env?.['PETSTORE_MOCK_MUTANT']) return (request) => answer(request, parts)
  const mutant = import('../mutants/apply-mutant.ts').then(({ applyMutant }) => applyMutant(parts, process))
  mutant.catch(({ message }: Error) => process.stderr.write(`petstore-mock: ${message}\n`))
  const refuse = ({ message }: Error): Outcome => createErrorResponse('internal_error', message)
  return (request) => mutant.then(() => answer(request, parts), refuse)
}

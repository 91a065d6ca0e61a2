import { writeBaseUrl } from '../../http/base-url.ts'
import { waitForAbort } from '../../http/fetch-result.ts'
import type { Target } from '../shared/target.ts'
import type { OpenRequests } from './open-requests.ts'
import { createWorkerError } from './start-errors.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

/** A mock that answers a page, and what its start has added. */
export interface PageMock extends Pick<Target, 'bases' | 'covers' | 'fetch'> {
  readonly settings: ParsedWorkerOptions
  /** Called for a request that is not for the mock. It goes to the network, unless this returns an error to fail it with. */
  readonly onUnhandled: (request: Request) => Error | undefined
  readonly forget: () => Promise<void>
  /** Removes the panel. */
  readonly unmount: () => void
  /** Stores what is left of the state. */
  readonly close: () => Promise<void>
}

/** The place of the mock that answers. Another mock can take it between two requests. */
export interface Place {
  mock: PageMock
}

/** How the requests of a page reach the mock. */
export interface Interception {
  readonly place: Place
  readonly requests: OpenRequests
  stop(): Promise<void>
}

interface Page {
  /** The last start or stop. It never rejects. */
  turn: Promise<unknown>
  interception?: Interception | undefined
}

// A property of the document, which a second copy of the package in the page sees. Pages of an origin share a Web Lock.
const PAGE = Symbol.for('petstore-mock.worker')

/** Runs a start or a stop after those before it. */
export function inTurn<Value>(work: (page: Page) => Promise<Value>): Promise<Value> {
  const { [PAGE]: page = { turn: Promise.resolve() } } = document as { [PAGE]?: Page }
  Object.assign(document, { [PAGE]: page })
  const done = page.turn.then(() => work(page))
  page.turn = done.catch(() => {})
  return done
}

/** How long a mock may take for the requests that it has, before the next mock starts, in milliseconds. */
const GRACE_MS = 1000

/**
 * Lets another mock take the place, without a gap: requests that come before it is ready wait for it. Those of the first
 * mock are over by then, so that their updates are stored, unless they take longer. If the start fails, the first mock
 * goes on.
 * @throws {MockError} `WORKER_START` for a mock that would leave requests of the first one to the network.
 */
export async function replaceMock(
  { place, requests }: Interception,
  next: Pick<PageMock, 'bases' | 'settings'>,
  start: () => Promise<PageMock>,
): Promise<void> {
  const before = place.mock
  assertReplaces(next, before)
  const ended = requests.settle()
  const started = Promise.race([ended, waitForAbort(AbortSignal.timeout(GRACE_MS))]).then(start)
  const answering = started.catch(() => before)
  place.mock = { ...before, fetch: async (request) => (await answering).fetch(request) }
  place.mock = await answering
  await started
  requests.endStreams()
  if (!next.settings.panel) before.unmount()
  void ended.then(before.close)
}

function assertReplaces(
  { bases, settings: { mode, workerUrl } }: Pick<PageMock, 'bases' | 'settings'>,
  { bases: before, settings }: PageMock,
): void {
  const urls = bases.map(writeBaseUrl)
  const urlsBefore = before.map(writeBaseUrl)
  const isSame = mode === settings.mode && workerUrl === settings.workerUrl
  if (isSame && urlsBefore.every((url) => urls.includes(url))) return
  throw createWorkerError(
    `a mock for ${urlsBefore.join(', ')} in mode '${settings.mode}' answers this page, and keeps answering. Only a mock for the same base URLs, in the same mode and with the same workerUrl, can take its place. Reload the page, or await stop() of the first worker.`,
  )
}

import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { type AnsweringService, createServiceHandler } from '../../msw/service-handlers.ts'
import { createAborts } from './aborts.ts'
import { assertWorkerVersion } from './assert-worker-version.ts'
import { loadMsw } from './load-msw.ts'
import { createOpenRequests, endBeforeNewer } from './open-requests.ts'
import { registerWorker } from './register-worker.ts'
import { startMsw } from './start-msw.ts'
import { waitForControl } from './wait-for.ts'
import { createOccupiedError } from './worker-error.ts'
import type { ParsedWorkerOptions, WorkerScript } from './worker-options.ts'

/**
 * Starts worker mode, with one deadline for all steps. Returns a function that stops it. A failed start leaves the page
 * unchanged. Loaded only once the environment is known to be a page, because Node cannot load `msw/browser`.
 * @throws {MockError} `WORKER_START`
 */
export async function answerInWorker(
  service: AnsweringService,
  options: ParsedWorkerOptions & WorkerScript,
): Promise<() => Promise<void>> {
  const msw = await loadMsw()
  assertNoOtherMsw()
  const container = navigator.serviceWorker
  const deadline = AbortSignal.timeout(options.timeout)
  const { registration, worker, isNew, withdraw } = await registerWorker({ ...options, container, deadline })
  const aborts = createAborts(service.covers)
  const requests = createOpenRequests(service.fetch, aborts.find)
  const letGo = endBeforeNewer(registration, requests)
  const control = { ...options, bases: service.bases, container, registration, worker, deadline, msw }
  try {
    await assertWorkerVersion(msw, control)
    // Otherwise a worker of an earlier visit does not control the page, because a hard reload bypassed it.
    if (isNew || container.controller !== null) await waitForControl(control)
    const stopAnswering = await startMsw(
      createServiceHandler({ ...service, fetch: withoutStreams(requests.fetch) }, msw.http),
      control,
    )
    const unfollow = aborts.follow()
    return async () => {
      // The worker waits for every open request, and meanwhile all others go to the network.
      await requests.end()
      unfollow()
      await stopAnswering().finally(letGo)
    }
  } catch (error) {
    letGo()
    await withdraw()
    throw error
  }
}

/**
 * msw has one worker per page. A second setup takes it over from the first and only then fails, because msw can patch
 * WebSocket only once. This tries that first, before anything is taken over.
 * @throws {MockError} `WORKER_START` if the user's own msw setup already answers the page.
 */
function assertNoOtherMsw(): void {
  const trial = new WebSocketInterceptor()
  try {
    // The interceptor in msw 2 is another copy. While it is applied, the page's global object refers to it.
    const marks = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description)
    if (marks.some((mark) => mark === 'websocket' || mark === 'websocket-interceptor')) throw new Error('msw 2 runs.')
    trial.apply()
  } catch (cause) {
    throw createOccupiedError(cause)
  } finally {
    trial.dispose()
  }
}

type Fetch = AnsweringService['fetch']

/** How long a chunk waits for an event, in milliseconds: less than a client waits for a response. */
const LONGEST_MS = 5000
/** How soon an EventSource requests the next chunk; and an id, which it repeats then, in `Last-Event-ID`. */
const RETRY = 'retry: 100\nid: chunk\n'

/**
 * WebKit cannot transfer a stream to a worker (https://bugs.webkit.org/show_bug.cgi?id=215485). There, msw waits for the
 * end of a body, and for ever if the body fails or never ends. In such browsers, this buffers bodies, turns a response with
 * a failing body into a network error, and sends events in chunks.
 */
function withoutStreams(fetch: Fetch): Fetch {
  if (canTransferStreams()) return fetch
  return async (request) => {
    const response = await fetch(request)
    if (response.body === null) return response
    if (response.headers.get('content-type') !== 'text/event-stream') return readWhole(response)
    return new Response(await readPortion(response.body, request.headers.has('last-event-id')), response)
  }
}

/** The same detection as in msw. */
function canTransferStreams(): boolean {
  const { port1, port2 } = new MessageChannel()
  try {
    const stream = new ReadableStream()
    port1.postMessage(stream, [stream])
    return true
  } catch {
    return false
  } finally {
    port1.close()
    port2.close()
  }
}

async function readWhole(response: Response): Promise<Response> {
  try {
    return new Response(await response.arrayBuffer(), response)
  } catch {
    return Response.error()
  }
}

/**
 * A chunk: the beginning of an event stream and, from the second chunk on, the next event if it arrives in time. The client
 * then reconnects for the next chunk, which starts with `state`, so that it learns of changes in between.
 */
async function readPortion(body: ReadableStream<Uint8Array<ArrayBuffer>>, isNext: boolean): Promise<Blob> {
  const reader = body.getReader()
  const first = await reader.read()
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_MS))
  const next = isNext ? await Promise.race([reader.read(), timeout]) : undefined
  reader.cancel().catch(() => {})
  return new Blob([RETRY, ...[first.value, next?.value].filter((piece) => piece !== undefined)])
}

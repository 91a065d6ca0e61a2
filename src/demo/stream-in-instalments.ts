import type { PageMock } from '../runtimes/browser.ts'

/** How long an instalment waits for something to tell, in milliseconds: less than the console waits for an answer. */
const LONGEST_MS = 5000

/**
 * Where a browser cannot hand a stream to its worker, msw waits for the end of it, and that of events has none. There
 * it comes in instalments: the first at once, and each that follows when something has happened. The console comes for
 * the next one by itself, as it does when a connection breaks.
 */
export function streamInInstalments(mock: PageMock): PageMock {
  if (canTransferStreams()) return mock
  const begun = new Set<string>()
  return {
    ...mock,
    async fetch(input, init) {
      const request = new Request(input, init)
      const response = await mock.fetch(request)
      if (response.body === null || response.headers.get('content-type') !== 'text/event-stream') return response
      const patience = begun.has(request.url) ? LONGEST_MS : 0
      begun.add(request.url)
      return new Response(await readInstalment(response.body, patience), response)
    },
  }
}

/** As msw finds it out. */
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

/** The beginning of a stream of events, and the next thing that it tells where that comes in time. */
async function readInstalment(body: ReadableStream<Uint8Array<ArrayBuffer>>, patience: number): Promise<Blob> {
  const reader = body.getReader()
  const first = await reader.read()
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  const next = await Promise.race([reader.read(), timeout])
  reader.cancel().catch(() => {})
  return new Blob([first.value, next?.value].filter((piece) => piece !== undefined))
}

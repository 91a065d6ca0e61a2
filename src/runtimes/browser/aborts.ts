import type { Target } from '../shared/target.ts'

/** Marks a request on its way through the worker. The mock does not see it. */
const MARK = 'x-petstore-mock-request'

interface Aborts {
  /**
   * Marks the requests that the page sends from now on. `answer` gets those that would bypass the worker: with `keepalive`
   * in Firefox, and in all browsers from `pagehide` on, when msw lets go of the page. Returns a function that stops it.
   */
  follow(answer: Target['fetch']): () => void
  /** The signal of the client that sent a marked request. Takes the mark out. */
  find(request: Request): AbortSignal | undefined
}

/**
 * msw's script does not tell the page that a client has given up, and the mock would go on with the request. This marks
 * the page's requests that can be given up; not those of frames, of web workers, or of a `fetch` kept from before.
 */
export function createAborts(covers: Target['covers']): Aborts {
  const signals = new Map<string, AbortSignal>()
  function note(signal: AbortSignal): string {
    const id = crypto.randomUUID()
    signals.set(id, signal)
    return id
  }
  // A request may arrive after its abort.
  const forget = (id: string): unknown => signals.get(id)?.aborted || signals.delete(id)
  return {
    find({ headers }) {
      const id = headers.get(MARK) ?? ''
      const signal = signals.get(id)
      headers.delete(MARK)
      signals.delete(id)
      return signal
    },
    follow(answer) {
      const { fetch, XMLHttpRequest } = globalThis
      let isOn = true
      const isMarked = (url: string | URL): boolean => {
        const absolute = URL.parse(url, document.baseURI)
        return isOn && absolute !== null && covers(absolute)
      }
      let isLeft = false
      const stopped = new AbortController()
      const listen = { capture: true, signal: stopped.signal }
      addEventListener('pagehide', () => (isLeft = true), listen)
      addEventListener('pageshow', () => (isLeft = false), listen)
      const fetchMarked: typeof fetch = async (input, init) => {
        if (!isLeft && !(input instanceof Request) && init?.signal == null && !init?.keepalive)
          return fetch(input, init)
        const request = new Request(input, init)
        if (!isMarked(request.url)) return fetch(request)
        if (isLeft || request.keepalive) {
          const response = await answer(request)
          if (response.type === 'error') throw new TypeError('Failed to fetch')
          return response
        }
        const id = note(request.signal)
        request.headers.set(MARK, id)
        return fetch(request).finally(() => forget(id))
      }
      class MarkedXhr extends XMLHttpRequest {
        #url: string | URL = ''
        #isSync = false
        override open(...[method, url, ...more]: [string, string | URL, ...unknown[]]): void {
          this.#url = url
          this.#isSync = more.length > 0 && !more[0]
          super.open(...([method, url, ...more] as Parameters<XMLHttpRequest['open']>))
        }
        override send(...body: Parameters<XMLHttpRequest['send']>): void {
          // There, it passes the worker, which asks the page, which waits for it: for minutes.
          if (isOn && this.#isSync && navigator.userAgent.includes('Firefox/'))
            throw new DOMException(
              `petstore-mock: a synchronous XMLHttpRequest, to ${this.#url}, would freeze this page in Firefox. Send it asynchronously.`,
              'NetworkError',
            )
          // Nobody waits for the response.
          if (isLeft && isMarked(this.#url)) return
          if (!this.#isSync && isMarked(this.#url)) {
            const abort = new AbortController()
            const id = note(abort.signal)
            this.setRequestHeader(MARK, id)
            for (const type of ['abort', 'timeout']) this.addEventListener(type, () => abort.abort(), { once: true })
            this.addEventListener('loadend', () => forget(id), { once: true })
          }
          super.send(...body)
        }
      }
      Object.assign(globalThis, { fetch: fetchMarked, XMLHttpRequest: MarkedXhr })
      return () => {
        isOn = false
        stopped.abort()
        // Unless something else has replaced them since.
        if (globalThis.fetch === fetchMarked) globalThis.fetch = fetch
        if (globalThis.XMLHttpRequest === MarkedXhr) globalThis.XMLHttpRequest = XMLHttpRequest
      }
    },
  }
}

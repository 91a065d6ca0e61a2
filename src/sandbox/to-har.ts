import { VERSION } from '../contract/version.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Exchanges as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which browsers and proxies import. */
export interface Har {
  /** The root of the archive. */
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    /** Oldest first. An exchange without a response has the status 0. */
    readonly entries: readonly object[]
  }
}

/** @param origin That of the URLs; by default, the one that the `Host` of each request names. */
export function toHar(entries: readonly JournalEntry[], origin?: string): Har {
  const creator = { name: 'petstore-mock', version: VERSION }
  return { log: { version: '1.2', creator, entries: entries.map((entry) => toHarEntry(entry, origin)) } }
}

function toHarEntry({ time, duration, request, answer }: JournalEntry, origin?: string): object {
  // A client may have sent anything as its Host.
  const base = URL.parse(origin ?? `http://${request.headers['host'] ?? 'localhost'}`)?.origin ?? 'http://localhost'
  // The dot keeps a path that looks like a URL, `//elsewhere.example`, below the origin.
  const url = new URL(`.${request.path}`, base)
  return {
    startedDateTime: time,
    time: duration,
    request: {
      method: request.method,
      url: url.href,
      queryString: Array.from(url.searchParams, ([name, value]) => ({ name, value })),
      ...toMessage(request),
      ...(request.body !== '' && { postData: { mimeType: toType(request.headers), text: request.body } }),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      redirectURL: answer?.headers['location'] ?? '',
      content: { size: toSize(answer?.body), mimeType: toType(answer?.headers), text: answer?.body ?? '' },
      ...toMessage(answer),
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
  }
}

function toMessage(message: JournalEntry['request'] | JournalEntry['answer']) {
  const headers = Object.entries(message?.headers ?? {}).map(([name, value]) => ({ name, value }))
  return { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1, bodySize: toSize(message?.body) }
}

function toType(headers: Readonly<Record<string, string>> = {}): string {
  return headers['content-type'] ?? 'text/plain'
}

function toSize(body = ''): number {
  return new TextEncoder().encode(body).byteLength
}

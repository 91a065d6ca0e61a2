import type { Exchange } from '../api/model.ts'

/**
 * Formats exchanges as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which browsers, proxies and
 * test tools import. An exchange without a response has the status 0.
 * @param toUrl The URL of a path.
 */
export function toHar(
  entries: readonly Exchange[],
  { version, toUrl }: { readonly version: string; readonly toUrl: (path: string) => URL },
): string {
  const log = {
    version: '1.2',
    creator: { name: 'petstore-mock', version },
    entries: entries.map(({ time, duration, request, answer }) => {
      const url = toUrl(request.path)
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
          content: {
            size: toSize(answer?.body),
            mimeType: toType(answer?.headers),
            text: answer?.body ?? '',
          },
          ...toMessage(answer),
        },
        cache: {},
        timings: { send: 0, wait: duration, receive: 0 },
      }
    }),
  }
  return JSON.stringify({ log }, null, 2)
}

function toMessage(message: Exchange['request'] | Exchange['answer']) {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(message?.headers ?? {}).map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: toSize(message?.body),
  }
}

function toType(headers: Readonly<Record<string, string>> = {}): string {
  return headers['content-type'] ?? 'text/plain'
}

function toSize(body = ''): number {
  return new TextEncoder().encode(body).byteLength
}

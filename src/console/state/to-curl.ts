import type { Exchange } from '../api/model.ts'
import { toOwnHeaders } from './replay.ts'

/** A request of the journal as a line for a shell, with the present key. */
export function toCurl(exchange: Exchange, { url, apiKey }: { url: URL; apiKey: string }): string {
  const { method, body } = exchange.request
  const headers = { authorization: `Bearer ${apiKey}`, ...toOwnHeaders(exchange) }
  return [
    'curl',
    ...(method === 'GET'
      ? []
      : method === 'HEAD'
        ? ['--head']
        : ['-X', /^[A-Z]+$/.test(method) ? method : quote(method)]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
    ...(body === '' ? [] : ['--data-raw', quote(body)]),
    quote(url.href),
  ].join(' ')
}

/** For a POSIX shell: all is taken as it is but the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

import type { Exchange } from '../api/model.ts'
import { toOwnHeaders } from './replay.ts'

/** The formats of a copied request: a shell command, or a statement for the browser's developer console. */
export type CopyForm = 'curl' | 'fetch'

interface CopyTarget {
  readonly url: URL
  readonly apiKey: string
}

/** Formats a request of the journal, with the current key. */
export const copyRequest: Readonly<Record<CopyForm, (exchange: Exchange, target: CopyTarget) => string>> = {
  curl(exchange, { url, apiKey }) {
    const { method, body } = exchange.request
    return [
      'curl',
      ...toMethodFlags(method),
      ...Object.entries(toHeaders(exchange, apiKey)).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
      ...(body === '' ? [] : ['--data-raw', quote(body)]),
      quote(url.href),
    ].join(' ')
  },
  fetch(exchange, { url, apiKey }) {
    const { method, body } = exchange.request
    const init = { method, headers: toHeaders(exchange, apiKey), ...(body !== '' && { body }) }
    return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(init, null, 2)})`
  },
}

function toHeaders(exchange: Exchange, apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}`, ...toOwnHeaders(exchange) }
}

function toMethodFlags(method: string): string[] {
  if (method === 'GET') return []
  if (method === 'HEAD') return ['--head']
  return ['-X', /^[A-Z]+$/.test(method) ? method : quote(method)]
}

/** In a POSIX shell, single quotes keep everything literal except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

import { HIDDEN, hideInHeader } from '../http/hide-credentials.ts'
import { BAD_KEYS, WRONG_KEY } from './bad-keys.ts'
import type { Evidence } from './report.ts'
import { type CheckedService, type CheckRequest, type Exchange, toHttp } from './service.ts'

const LONGEST_BODY = 300

export function toEvidence({ request, status, text, json }: Exchange, service: CheckedService): Evidence {
  const pets = Array.isArray(json) && json.length > 3 ? ` (${json.length} entries)` : ''
  return { request: toCurl(request, service), response: toSafe(`${status}${pets} ${text}`, service) }
}

/** The beginning of a text from the service, without credentials. */
export function toSafe(text: string, service: CheckedService): string {
  const safe = hideSecrets(text, service)
  return safe.length > LONGEST_BODY ? `${safe.slice(0, LONGEST_BODY)}…` : safe
}

/** A command line that repeats a request, with the credentials as variables of the shell: `$API_KEY`, `$X_API_KEY`. */
function toCurl(request: CheckRequest, service: CheckedService): string {
  const { method, url, headers } = toHttp(request, service)
  const flags = Array.from(headers, ([name, value]) => {
    if (value === `Bearer ${service.apiKey}`) return ` -H 'authorization: Bearer '"$API_KEY"`
    if (isSecretHeader(name, value) && service.headers?.[name] === value)
      return ` -H '${name}: '"$${name.toUpperCase().replaceAll('-', '_')}"`
    return ` -H ${quoteForShell(`${name}: ${value}`)}`
  })
  const data = request.body === undefined ? '' : ` --data-binary ${quoteForShell(request.body)}`
  return hideSecrets(`curl -X ${method} ${quoteForShell(url)}${flags.join('')}${data}`, service)
}

/** Quotes a text for sh, bash, zsh and fish, in which a backslash within quotes may escape the quote. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`
}

/** Shorter texts are not hidden, because they are part of many words. The key itself always is. */
const SHORTEST_SECRET = 4

/** Hides the API key, in every form in which the cases send it, and the credentials among the headers. */
export function hideSecrets(
  text: string,
  { apiKey, headers = {} }: Pick<CheckedService, 'apiKey' | 'headers'>,
): string {
  const sent = BAD_KEYS.flatMap(({ of }) => {
    const { authorization, query = '' } = of(apiKey) ?? {}
    return [authorization?.replace(/^\w+ /, '') ?? '', query.replace('api_key=', '')]
  })
  const own = Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name, value) ? [value, ...value.split(/[\s;=]+/)] : [],
  )
  const near = [...sent, ...own].filter(
    (each) => each.length >= SHORTEST_SECRET && each !== 'Bearer' && each !== WRONG_KEY,
  )
  return [...new Set([apiKey, ...near])]
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}

function isSecretHeader(name: string, value: string): boolean {
  return hideInHeader(name.toLowerCase(), value) !== value
}

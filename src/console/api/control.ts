import { type RouteParts, toControlRequest } from '../../client/control-request.ts'
import type { ResponseOf, RouteName } from '../../control/contract.ts'
import { parseJson, type Received } from './model.ts'

/** How long a control request may take, in milliseconds. */
const PATIENCE_MS = 60_000

/** The control API of one sandbox. A route is named by its method and path, as in the control API's contract. */
export type Control = ReturnType<typeof createControl>

interface AskOptions<Route extends RouteName> extends RouteParts<Route> {
  /** A body that is JSON text already. */
  readonly json?: string
}

interface ControlOptions {
  readonly addresses: Addresses
  readonly sandbox: string
  /** The control token, if known. */
  readonly getToken: () => string
  readonly signal: AbortSignal
}

export function createControl({ addresses: { root, fetch }, sandbox, getToken, signal }: ControlOptions) {
  const toTarget = () => ({ root, sandbox, controlToken: getToken() || undefined })
  /** The body as text, because parsing would round large numbers. */
  async function askText<Route extends RouteName>(route: Route, options: AskOptions<Route> = {}): Promise<string> {
    const { body, json = body === undefined ? undefined : JSON.stringify(body), ...parts } = options
    const { url, init } = toControlRequest(route, { ...toTarget(), ...parts, json })
    const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) })
    if (!response.ok) throw await toAnswerError(response)
    return response.text()
  }
  return {
    /** @throws {AnswerError} for an error response; fetch's own error if there is no response. */
    async ask<Route extends RouteName>(route: Route, options?: AskOptions<Route>) {
      const text = await askText(route, options)
      return (text === '' ? undefined : parseJson(text)) as Received<ResponseOf<Route>>
    },
    askText,
    /** The stream of events; `ends` ends it. With an id, it may wait for its first event, as with EventSource. */
    openEvents(ends: AbortSignal, lastEventId?: string) {
      const { url, init } = toControlRequest('GET /events', toTarget())
      const headers = { ...init.headers, ...(lastEventId && { 'last-event-id': lastEventId }) }
      return fetch(url, { headers, signal: AbortSignal.any([signal, ends]) })
    },
  }
}

/** Where the control API and the service are, and what sends requests there. */
export type Addresses = ReturnType<typeof createAddresses>

/** @param root The URL that `_mock/` and the service's base path are relative to. */
export function createAddresses(root: URL, fetch: (url: URL, init: RequestInit) => Promise<Response>) {
  return {
    root,
    fetch,
    /**
     * The URL of a path, as the mock receives it and the journal shows it. The dot keeps a path that looks like a URL,
     * `/https://elsewhere.example`, below the root.
     */
    toService: (path: string): URL => new URL(`./${path.slice(1)}`, root),
  }
}

/** An error response, with the message of its Error object; without a status, a request that cannot be sent. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** Thousands of pets may have a problem each. */
const MOST_LINES = 5

/** Reads the Error object of a response, or falls back to the status text. */
export async function toAnswerError(response: Response): Promise<AnswerError> {
  const text = await response.text().catch(() => '')
  const message = readMessage(text) ?? (response.statusText || 'The response has no message')
  const lines = message.split('\n')
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), 'and more'] : lines
  return new AnswerError(shown.join('\n'), response.status)
}

/** An error as a sentence for the user. */
export function toSentence(error: unknown): string {
  if (error instanceof AnswerError) return [error.status ?? [], error.message].flat().join(' · ')
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'No response in time'
  if (error instanceof DOMException && error.name === 'AbortError') return 'Cancelled'
  return 'The connection broke before a response came'
}

/** An error beside its field, in which nobody types JSON: without the types, and without the status of a wrong value. */
export function toFieldError(error: unknown): string {
  if (!(error instanceof AnswerError) || (error.status ?? 400) !== 400) return toSentence(error)
  return error.message
    .replaceAll(/^(?:Failed to add a fault|fixture): /gm, '')
    .replaceAll(': a safe integer, a bigint or a string of digits without leading zeros', '')
    .replaceAll(/ \((?:string|number|boolean|array|object)\)(?=\.|$)/gm, '')
    .replaceAll(/: (?=must |is )/g, ' ')
}

/** The message of an Error object, given as text; `undefined` if there is none. */
export function readMessage(text: string): string | undefined {
  try {
    const { message } = parseJson<{ message?: unknown }>(text)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

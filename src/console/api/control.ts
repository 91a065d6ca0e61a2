import type { BodyOf, ParamsOf, QueryOf, ResponseOf, RouteName } from '../../control/contract.ts'
import type { Received } from './model.ts'
import { parseJson } from './model.ts'
import { DEFAULT_SANDBOX } from './sandbox-key.ts'

/** How long a control request may take, in milliseconds. */
const PATIENCE_MS = 60_000

/** The control API of one sandbox. A route is named by its method and path, as in the control API's contract. */
export interface Control {
  /** @throws {AnswerError} for an error response; fetch's own error if there is no response. */
  ask<Route extends RouteName>(route: Route, options?: AskOptions<Route>): Promise<Received<ResponseOf<Route>>>
  /** Like `ask`, but returns the unparsed body, because parsing would round large numbers. */
  askText<Route extends RouteName>(route: Route, options?: AskOptions<Route>): Promise<string>
  /** The stream of events; `signal` ends it. With an id, the stream may wait for its first event, as with EventSource. */
  openEvents(signal: AbortSignal, lastEventId?: string): Promise<Response>
}

interface AskOptions<Route extends RouteName> {
  readonly params?: ParamsOf<Route>
  readonly query?: QueryOf<Route>
  readonly body?: BodyOf<Route>
  /** A body that is JSON text already. */
  readonly json?: string
}

export interface ControlOptions {
  readonly addresses: Addresses
  readonly sandbox: string
  /** The control token, if known. */
  readonly getToken: () => string
  readonly signal: AbortSignal
}

export function createControl({ addresses, sandbox, getToken, signal }: ControlOptions): Control {
  const own: Record<string, string> = sandbox === DEFAULT_SANDBOX ? {} : { sandbox }
  const toHeaders = (): Record<string, string> => (getToken() === '' ? {} : { 'x-mock-control-token': getToken() })
  async function askText<Route extends RouteName>(route: Route, options: AskOptions<Route> = {}): Promise<string> {
    const { params = {}, query, body, json = body === undefined ? undefined : JSON.stringify(body) } = options
    const [method, path = ''] = route.split(' ')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(Reflect.get(params, name) as string),
    )
    const response = await addresses.fetch(addresses.toControl(filled, { ...query, ...own }), {
      method: method ?? 'GET',
      headers: { ...toHeaders(), ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: json }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!response.ok) throw await toAnswerError(response)
    return response.text()
  }
  return {
    async ask(route, options) {
      const text = await askText(route, options)
      return (text === '' ? undefined : parseJson(text)) as never
    },
    askText,
    openEvents: (ends, lastEventId) =>
      addresses.fetch(addresses.toControl('/events', own), {
        headers: { ...toHeaders(), ...(lastEventId && { 'last-event-id': lastEventId }) },
        signal: AbortSignal.any([signal, ends]),
      }),
  }
}

/** The URLs of the control API and the service, and what sends requests there. */
export interface Addresses {
  fetch(url: URL, init: RequestInit): Promise<Response>
  /** A route of the control API, with its query. */
  toControl(path: string, query?: Readonly<Record<string, string>>): URL
  /** The URL of a path, as the mock receives it and the journal shows it. */
  toService(path: string): URL
}

/** @param root The URL that `_mock/` and the service's base path are relative to. */
export function createAddresses(root: URL, fetch: Addresses['fetch']): Addresses {
  return {
    fetch,
    toControl(path, query = {}) {
      const url = new URL(`_mock${path}`, root)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url
    },
    // The dot keeps a path that looks like a URL, `/https://elsewhere.example`, below the root.
    toService: (path) => new URL(`./${path.slice(1)}`, root),
  }
}

/** How long the service may take, in milliseconds. */
const SERVICE_PATIENCE_MS = 10_000

/** A request to the service. The API key is added to it. */
export interface ServiceRequest {
  readonly method: string
  /** As the mock receives it: `/v1/inventory/7`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** The service itself, called with an API key like by any client. */
export async function sendToService(
  { method, path, headers, body, signal }: ServiceRequest,
  { addresses, apiKey }: { addresses: Addresses; apiKey: string },
): Promise<Response> {
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new RequestError('The API key is empty or contains characters that a header cannot contain')
  }
  const ends = [AbortSignal.timeout(SERVICE_PATIENCE_MS), ...(signal === undefined ? [] : [signal])]
  return addresses.fetch(addresses.toService(path), {
    method,
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    ...(body !== undefined && body !== '' && { body }),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any(ends),
  })
}

/** An error response, with the message of its Error object. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request that cannot be sent. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
}

/** Reads the Error object of a response, or falls back to the status text. */
export async function toAnswerError(response: Response): Promise<AnswerError> {
  const text = await response.text().catch(() => '')
  return new AnswerError(response.status, readMessage(text) ?? (response.statusText || 'The response has no message'))
}

/** An error as a sentence for the user. */
export function toSentence(error: unknown): string {
  if (error instanceof AnswerError) return `${error.status} · ${error.message}`
  if (error instanceof RequestError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'No response in time'
  if (error instanceof DOMException && error.name === 'AbortError') return 'Cancelled'
  return 'The connection broke before a response came'
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

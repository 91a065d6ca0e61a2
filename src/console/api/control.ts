import type { Addresses } from './addresses.ts'
import { toAnswerError } from './answer-error.ts'
import { parseJson } from './parse-json.ts'
import { DEFAULT_SANDBOX } from './sandbox-name.ts'

/** How long a control request may take, in milliseconds. */
const PATIENCE_MS = 60_000

/** The control API, over one sandbox. */
export interface Control {
  /** @throws {AnswerError} where the response is not a success; what fetch throws where there is no response. */
  ask<T>(method: string, path: string, options?: AskOptions): Promise<T>
  /** As `ask`, with the response's body as it was written: parsing would round large numbers. */
  askText(method: string, path: string, options?: AskOptions): Promise<string>
  /** The stream of events; `signal` ends it. */
  openEvents(signal: AbortSignal): Promise<Response>
}

export interface AskOptions {
  readonly json?: string
  readonly query?: Readonly<Record<string, string>>
}

export interface ControlOptions {
  readonly addresses: Addresses
  readonly sandbox: string
  /** The control token, where one is known. */
  readonly getToken: () => string
  /** Ends all requests. */
  readonly signal: AbortSignal
}

export function createControl({ addresses, sandbox, getToken, signal }: ControlOptions): Control {
  const own: Record<string, string> = sandbox === DEFAULT_SANDBOX ? {} : { sandbox }
  const toHeaders = (): Record<string, string> => (getToken() === '' ? {} : { 'x-mock-control-token': getToken() })
  async function askText(method: string, path: string, { json, query }: AskOptions = {}): Promise<string> {
    const response = await fetch(addresses.toControl(path, { ...query, ...own }), {
      method,
      headers: { ...toHeaders(), ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: json }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!response.ok) throw await toAnswerError(response)
    return response.text()
  }
  return {
    async ask<T>(method: string, path: string, options?: AskOptions) {
      const text = await askText(method, path, options)
      return (text === '' ? undefined : parseJson(text)) as T
    },
    askText,
    openEvents: (ends) =>
      fetch(addresses.toControl('/events', own), { headers: toHeaders(), signal: AbortSignal.any([signal, ends]) }),
  }
}

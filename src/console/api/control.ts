import type { Addresses } from './addresses.ts'
import { toAnswerError } from './answer-error.ts'
import { parseJson } from './parse-json.ts'

/** How long a control request may take, in milliseconds. */
const PATIENCE_MS = 60_000
const DEFAULT_SANDBOX = 'default'

/** The control API, over one sandbox. */
export interface Control {
  /** @throws {AnswerError} where the answer is no success; what fetch throws where there is none. */
  ask<T>(method: string, path: string, options?: { json?: string; query?: Record<string, string> }): Promise<T>
  /** The stream of events; `signal` ends it. */
  openEvents(signal: AbortSignal): Promise<Response>
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
  return {
    async ask<T>(
      method: string,
      path: string,
      { json, query }: { json?: string; query?: Record<string, string> } = {},
    ) {
      const response = await fetch(addresses.toControl(path, { ...query, ...own }), {
        method,
        headers: { ...toHeaders(), ...(json !== undefined && { 'content-type': 'application/json' }) },
        ...(json !== undefined && { body: json }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
      })
      if (!response.ok) throw await toAnswerError(response)
      const text = await response.text()
      return (text === '' ? undefined : parseJson(text)) as T
    },
    openEvents: (ends) =>
      fetch(addresses.toControl('/events', own), { headers: toHeaders(), signal: AbortSignal.any([signal, ends]) }),
  }
}

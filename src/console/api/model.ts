import type { DelaySetting, ResponseOf } from '../../control/contract.ts'

/**
 * A value of the control API in the console: read-only, and with each `petId` as a string of digits, because an int64 may
 * not fit into a number.
 */
export type Received<T> = T extends object
  ? { readonly [Name in keyof T]: Name extends 'petId' ? Extract<T[Name], undefined> | string : Received<T[Name]> }
  : T

export type Pet = Received<ResponseOf<'GET /pets/{petId}'>>

/** Milliseconds, fixed or a range. */
export type Latency = Received<NonNullable<Fault['delay']>>

/** `null` if the mock's own latency applies. */
export type Delay = DelaySetting['delay']

export type Fault = Received<ResponseOf<'GET /faults'>[number]>

export type JournalEntry = Received<ResponseOf<'GET /journal'>['entries'][number]>

export type ConnectionFault = NonNullable<Fault['error']>

/** `JSON.parse` that returns every `petId` as a string of digits, because a number would round large ids. */
export function parseJson<T>(text: string): T {
  // In a string, a backslash stands before the second quote.
  return JSON.parse(text.replaceAll(/"petId":\s*(-?\d+)(?=\s*[,}])/g, '"petId":"$1"'))
}

/** `JSON.rawJSON` writes a number as it was read (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as unknown as { rawJSON(source?: string): unknown }

/** Formats a body for reading: JSON is indented and keeps every digit; anything else is unchanged. */
export function toPrettyBody(body: string): string {
  const keepDigits = (_key: string, value: unknown, context?: { source: string }): unknown =>
    typeof value === 'number' ? rawJSON(context?.source) : value
  try {
    return JSON.stringify(JSON.parse(body, keepDigits), null, 2)
  } catch {
    return body
  }
}

export const DEFAULT_SANDBOX = 'default'

export function isSandboxName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text)
}

/** The key that the console uses until another one is entered, unless the mock rejects it. */
export const DEFAULT_API_KEY = 'demo-key'

const SEPARATOR = '~'

/** The key that opens the current sandbox: `demo-key~checkout-7`. A sandbox name typed with the key is ignored. */
export function toApiKey({ apiKey, sandbox }: { readonly apiKey: string; readonly sandbox: string }): string {
  const [key = ''] = apiKey.split(SEPARATOR)
  return sandbox === DEFAULT_SANDBOX ? key : `${key}${SEPARATOR}${sandbox}`
}

/** Splits a key such as `demo-key~checkout-7`, which tests use. `undefined` for a key without a sandbox. */
export function splitApiKey(text: string): { readonly apiKey: string; readonly sandbox: string } | undefined {
  const index = text.indexOf(SEPARATOR)
  const sandbox = text.slice(index + 1)
  if (index === -1 || !isSandboxName(sandbox)) return undefined
  return { apiKey: text.slice(0, index), sandbox }
}

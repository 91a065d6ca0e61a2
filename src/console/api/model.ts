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

export type Change = Received<ResponseOf<'GET /history'>[number]>

export type Exchange = Received<ResponseOf<'GET /journal'>['entries'][number]>

export type ConnectionFault = NonNullable<Fault['error']>

/** `JSON.rawJSON` writes a number as it was read (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown }

/** `JSON.parse` that returns every `petId` as a string of digits, because a number would round large ids. */
export function parseJson<T>(text: string): T {
  // In a string, a backslash stands before the second quote.
  return JSON.parse(text.replaceAll(/"petId":\s*(-?\d+)(?=\s*[,}])/g, '"petId":"$1"'))
}

/** `JSON.parse` for values that are only serialized again: numbers become raw JSON and keep every digit. */
export function parseExactly(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? (rawJSON?.(context.source) ?? value) : value
  return JSON.parse(text, revive)
}

/** Formats a body for reading: JSON is indented and keeps every digit; anything else is unchanged. */
export function toPrettyBody(body: string): string {
  if (rawJSON === undefined || body.trim() === '') return body
  try {
    return JSON.stringify(parseExactly(body), null, 2)
  } catch {
    return body
  }
}

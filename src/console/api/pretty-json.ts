import { isExact, parseExactly } from './parse-exactly.ts'

/** Formats a body for reading: JSON is indented and keeps every digit; anything else is unchanged. */
export function toPrettyBody(body: string): string {
  if (!isExact || body.trim() === '') return body
  try {
    return JSON.stringify(parseExactly(body), null, 2)
  } catch {
    return body
  }
}

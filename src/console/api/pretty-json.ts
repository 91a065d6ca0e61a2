import { isExact, parseExactly } from './parse-exactly.ts'

/** A body as it is best read: JSON with line breaks and every digit in place, all else as it is. */
export function toPrettyBody(body: string): string {
  if (!isExact || body.trim() === '') return body
  try {
    return JSON.stringify(parseExactly(body), null, 2)
  } catch {
    return body
  }
}

import { DEEPEST_JSON, JsonText } from '../http/exact-json.ts'
import { isPlain } from '../http/plain-object.ts'
import { isAsymmetric, quote } from '../http/quote.ts'

/**
 * Explains why a request's body can never match: a part of the expectation is nothing that JSON has. `undefined` if it can.
 * Such a part would match nothing, or, as an object without properties of its own, everything.
 */
export function explainExpectedBody(body: unknown): string | undefined {
  return explain(body, 'it', 0)
}

function explain(value: unknown, path: string, depth: number): string | undefined {
  if (isAsymmetric(value) || value instanceof JsonText) return undefined
  if (Array.isArray(value) || isPlainObject(value)) {
    if (depth === DEEPEST_JSON) return `is nested more than ${DEEPEST_JSON} levels deep`
    for (const [name, member] of Object.entries(value)) {
      const problem = explain(member, name, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  if (value === null || ['boolean', 'string', 'bigint'].includes(typeof value) || Number.isFinite(value))
    return undefined
  return `can never match: ${path} must be JSON, or an asymmetric matcher such as expect.any(Number), got ${quote(value)}`
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && isPlain(value)
}

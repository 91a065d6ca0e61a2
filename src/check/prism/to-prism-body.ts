import { isPetKey } from '../../inventory/pet.ts'

const LONG_NUMBER = /\d{16}/

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * Adapts a body for Prism, which reports every petId beyond ±(2^53−1) as a violation: such an id is replaced by the
 * nearest one that Prism accepts. Everything else stays, byte for byte if there is no such id.
 */
export function toPrismBody(body: Uint8Array): Uint8Array | string {
  // Keeps a BOM, which neither JSON (RFC 8259, section 8.1) nor Prism allows.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (!LONG_NUMBER.test(text)) return body
  try {
    return JSON.stringify(JSON.parse(text, toNearest as Parameters<typeof JSON.parse>[1]))
  } catch {
    return body
  }
}

const toNearest: Reviver = (key, value, context) => {
  if (key !== 'petId' || typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return isPetKey(context?.source ?? '') ? Math.sign(value) * Number.MAX_SAFE_INTEGER : value
}

import { isPetKey } from '../../inventory/pet-id.ts'

const LONG_NUMBER = /\d{16}/

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * A body as Prism can judge it. Prism takes an int64 for one that a double holds exactly, and reports each petId
 * beyond ±(2^53−1): in its place goes the nearest that Prism takes. All else stays, byte for byte where no number is
 * that long.
 */
export function toPrismBody(body: Uint8Array): Uint8Array | string {
  // With its BOM, which is not JSON's (RFC 8259, section 8.1) and not Prism's.
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

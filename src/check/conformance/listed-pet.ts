/** An entry of a service's list. */
export interface ListedPet {
  /** In decimal form. */
  readonly petId: string
  /** In decimal form. */
  readonly quantity: string
  readonly status: unknown
}

/** Reads a list with exact numbers; `undefined` if it is not a list. Invalid entries are skipped. */
export function parsePets(json: unknown): readonly ListedPet[] | undefined {
  return Array.isArray(json) ? json.map(parsePet).filter((pet) => pet !== undefined) : undefined
}

export function parsePet(json: unknown): ListedPet | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { petId, quantity, status } = json as Readonly<Record<string, unknown>>
  return isInteger(petId) && isInteger(quantity)
    ? { petId: String(petId), quantity: String(quantity), status }
    : undefined
}

/** Whether a value is a JSON integer, read exactly. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

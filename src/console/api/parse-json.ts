type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** `JSON.parse` that returns every `petId` as a string of digits, because a number would round large ids. */
export function parseJson<T>(text: string): T {
  return JSON.parse(text, keepPetIds as Parameters<typeof JSON.parse>[1]) as T
}

const keepPetIds: Reviver = (key, value, context) =>
  key === 'petId' && typeof value === 'number' ? (context?.source ?? String(value)) : value

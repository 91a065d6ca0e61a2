type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** `JSON.rawJSON` writes a number as it was read (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown }

/** `JSON.parse` for values that are only serialized again: numbers become raw JSON and keep every digit. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepNumbers as Parameters<typeof JSON.parse>[1])
}

/** Whether this browser supports `JSON.rawJSON`. */
export const isExact: boolean = rawJSON !== undefined

const keepNumbers: Reviver = (_key, value, context) =>
  typeof value === 'number' && rawJSON !== undefined && context?.source !== undefined ? rawJSON(context.source) : value

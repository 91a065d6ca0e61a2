type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** `JSON.rawJSON` writes a number as it was read (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown }

/** A body as it is best read: JSON with line breaks and every digit in place, all else as it is. */
export function toPrettyBody(body: string): string {
  if (rawJSON === undefined || body.trim() === '') return body
  const keepNumbers: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value
  try {
    return JSON.stringify(JSON.parse(body, keepNumbers as Parameters<typeof JSON.parse>[1]), null, 2)
  } catch {
    return body
  }
}

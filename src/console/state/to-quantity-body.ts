const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The body of a stock update out of what was typed. A number goes as it was written, and everything else as text, so
 * that the service's own message says what is wrong with it.
 */
export function toQuantityBody(text: string): string {
  const typed = text.trim().replace(/^[−–]/, '-')
  return `{"quantity":${JSON_NUMBER.test(typed) ? typed : JSON.stringify(typed)}}`
}

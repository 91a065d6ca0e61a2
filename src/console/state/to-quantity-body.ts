const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The body of a stock update out of what was typed. A number goes as it was written, and all else as text: what is
 * wrong with it, the service says best.
 */
export function toQuantityBody(text: string): string {
  const typed = text.trim().replace(/^[−–]/, '-')
  return `{"quantity":${JSON_NUMBER.test(typed) ? typed : JSON.stringify(typed)}}`
}

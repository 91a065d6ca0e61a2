/** Whether a `Content-Type` says `application/json`, parameters aside. No other type will do, none with `+json` either. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  const [essence = ''] = (contentType ?? '').toLowerCase().split(';')
  return essence.trim() === 'application/json'
}

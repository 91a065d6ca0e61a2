const SUFFIXED = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\+json$/

/** Whether a `Content-Type` says JSON: `application/json` or a type with the suffix `+json`, parameters aside. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  const [essence = ''] = (contentType ?? '').toLowerCase().split(';')
  return essence.trim() === 'application/json' || SUFFIXED.test(essence.trim())
}

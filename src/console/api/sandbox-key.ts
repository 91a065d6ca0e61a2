export const DEFAULT_SANDBOX = 'default'

export function isSandboxName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text)
}

/** The key that the console uses until another one is entered, unless the mock rejects it. */
export const DEFAULT_API_KEY = 'demo-key'

const SEPARATOR = '~'

/** The key that opens the current sandbox: `demo-key~checkout-7`. A sandbox name typed with the key is ignored. */
export function toApiKey({ apiKey, sandbox }: { readonly apiKey: string; readonly sandbox: string }): string {
  const [key = ''] = apiKey.split(SEPARATOR)
  return sandbox === DEFAULT_SANDBOX ? key : `${key}${SEPARATOR}${sandbox}`
}

/** Splits a key such as `demo-key~checkout-7`, which tests use. `undefined` for a key without a sandbox. */
export function splitApiKey(text: string): { readonly apiKey: string; readonly sandbox: string } | undefined {
  const index = text.indexOf(SEPARATOR)
  const sandbox = text.slice(index + 1)
  if (index === -1 || !isSandboxName(sandbox)) return undefined
  return { apiKey: text.slice(0, index), sandbox }
}

import { DEFAULT_SANDBOX, isSandboxName } from '../api/sandbox-name.ts'

const SEPARATOR = '~'

/** The key that opens the sandbox: `demo-key~checkout-7`. A sandbox that was typed with the key does not count. */
export function toApiKey({ apiKey, sandbox }: { readonly apiKey: string; readonly sandbox: string }): string {
  const [key = ''] = apiKey.split(SEPARATOR)
  return sandbox === DEFAULT_SANDBOX ? key : `${key}${SEPARATOR}${sandbox}`
}

/** The parts of a key that was copied from a test: `demo-key~checkout-7`. `undefined` for a key without a sandbox. */
export function splitApiKey(text: string): { readonly apiKey: string; readonly sandbox: string } | undefined {
  const index = text.indexOf(SEPARATOR)
  const sandbox = text.slice(index + 1)
  if (index === -1 || !isSandboxName(sandbox)) return undefined
  return { apiKey: text.slice(0, index), sandbox }
}

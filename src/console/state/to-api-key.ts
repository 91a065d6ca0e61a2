/** The key that opens the sandbox: `demo-key~checkout-7`. */
export function toApiKey({ apiKey, sandbox }: { readonly apiKey: string; readonly sandbox: string }): string {
  return sandbox === 'default' ? apiKey : `${apiKey}~${sandbox}`
}

export const DEFAULT_SANDBOX = 'default'

/** For the `pattern` attribute of an input. */
export const SANDBOX_PATTERN = '[A-Za-z0-9._\\-]{1,64}'

const SANDBOX_NAME = new RegExp(`^${SANDBOX_PATTERN}$`)

export function isSandboxName(text: string): boolean {
  return SANDBOX_NAME.test(text)
}

/** Where the control API lies, beside the service's base path. */
export const CONTROL_PATH = '/_mock'

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`)
}

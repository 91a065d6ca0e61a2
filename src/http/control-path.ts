/** The base path of the control API. */
export const CONTROL_PATH = '/_mock'

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`)
}

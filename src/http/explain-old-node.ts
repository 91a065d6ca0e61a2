/** The oldest Node that runs the package; the same as `engines` in package.json. */
const OLDEST = [22, 12] as const

/** Why this version of Node cannot run the package; `undefined` if it can. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined
  return `petstore-mock needs Node ${OLDEST.join('.')} or newer, but this is Node ${version}. Install a newer version: https://nodejs.org`
}

/** The oldest Node that runs the program, as `engines` in package.json has it. */
const OLDEST = [22, 12] as const

/** Why this version of Node cannot run the program; `undefined` where it can. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined
  return `petstore-mock needs Node ${OLDEST.join('.')} or newer, and this is ${version}. Install a newer one: https://nodejs.org`
}

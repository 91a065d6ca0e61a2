import { HIDDEN, hideInAddress } from '../http/hide-credentials.ts'

/** A flag whose value, in the next word, is a credential. */
const SECRET_FLAG = /^(?:--(?:api-?key|control-?token)|-q*k)$/i
/** The same with the value in one word: `--api-key=value`, `-k=value` and `-k4711`. */
const SECRET_ASSIGNMENT = /^(--(?:api-?key|control-?token)=|-q*k=?).+/is

/**
 * How to write the command of `exec` that has no `--` before it, without repeating a key.
 * @param unknown The words that are no flags of the program.
 */
export function explainMisplaced(unknown: readonly string[], argv: readonly string[]): string | undefined {
  const [command, ...given] = argv
  const words = given.map((word, index) => hideKey(word, given[index - 1]))
  const start = words.findIndex((word) => unknown.includes(word))
  if (start === -1 || words.slice(0, start).includes('--')) return undefined
  const line = [...words.slice(0, start), '--', ...words.slice(start)].join(' ')
  return `${command} takes its command after --: petstore-mock ${command} ${line}`
}

function hideKey(word: string, before = ''): string {
  if (SECRET_FLAG.test(before)) return HIDDEN
  return hideInAddress(word.replace(SECRET_ASSIGNMENT, `$1${HIDDEN}`))
}

import { isDeepStrictEqual } from 'node:util'
import type { WireAnswer } from './send.ts'

/**
 * That both sides do the same work.
 * @throws {Error} where status or bytes differ; `json` compares what the bytes say, for peers that indent.
 */
export function assertSameAnswer(name: string, sides: { ours: WireAnswer; theirs: WireAnswer; json?: boolean }): void {
  const { ours, theirs, json = false } = sides
  if (ours.status !== 200) throw new Error(`Failed to measure: the mock answered with status ${ours.status}.`)
  const isSame = json ? isDeepStrictEqual(read(ours), read(theirs)) : ours.body.equals(theirs.body)
  if (theirs.status === ours.status && isSame) return
  const got = `${theirs.status} ${theirs.body.toString().slice(0, 200)}`
  throw new Error(`Failed to measure: ${name} does not answer what the mock answers, but ${got}`)
}

function read({ body }: WireAnswer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return body.toString()
  }
}

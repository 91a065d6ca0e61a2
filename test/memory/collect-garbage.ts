import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Several times, because a signal that follows another is found to be unused only once the other is. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round += 1) {
    // What this turn of the event loop has read stays until its end.
    await new Promise(setImmediate)
    collect()
  }
}

// Loaded before a server: tells, whenever it is asked, how long its event loop was held and what memory it has.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What a server went through since it was last asked. */
export interface Condition {
  /** The longest time in which the event loop came to nothing else, in milliseconds. */
  readonly longestHold: number
  /** What is in use after a collection, in bytes: the heap, and the buffers outside of it. */
  readonly memory: number
}

const RESOLUTION_MS = 1
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

process.on('message', () => {
  const longestHold = delays.max / 1e6 - RESOLUTION_MS
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ longestHold, memory: heapUsed + external } satisfies Condition, () => {
    // The collection is not the server's doing.
    delays.disable()
    delays.reset()
    delays.enable()
  })
})
process.channel?.unref()
delays.enable()

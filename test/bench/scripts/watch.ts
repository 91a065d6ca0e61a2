// Loaded before a server: tells, whenever it is asked, how long its event loop was held and what memory it has.

/** What a server went through since it was last asked. */
export interface Condition {
  /**
   * The longest work between two turns of the event loop, in milliseconds. It is counted in time of the processor: what
   * other programs take from the thread is not its own work.
   */
  readonly longestHold: number
  /** What is in use after a collection, in bytes: the heap, and the buffers outside of it. */
  readonly memory: number
}

let longestHold = 0
let last = readWork()
setInterval(() => {
  const now = readWork()
  longestHold = Math.max(longestHold, now - last)
  last = now
}, 1).unref()

process.on('message', () => {
  const held = longestHold
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  // The collection is not the server's doing.
  longestHold = 0
  last = readWork()
  process.send?.({ longestHold: held, memory: heapUsed + external } satisfies Condition)
})
process.channel?.unref()

function readWork(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

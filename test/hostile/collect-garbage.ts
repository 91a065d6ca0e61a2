// Loaded before the server under test: on a message it collects garbage, so that what remains is what is really kept.
import { setTimeout as sleep } from 'node:timers/promises'

process.on('message', async () => {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await sleep(50)
  }
  process.send?.(process.memoryUsage())
})
// The channel must not keep the server alive.
process.channel?.unref()

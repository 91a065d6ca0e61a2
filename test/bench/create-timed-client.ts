import { Agent } from 'node:http'
import { send } from './send.ts'
import type { WireRequest } from './wire.ts'

/** Asks for the same thing again and again over one connection. */
export interface TimedClient extends Disposable {
  /** What one answer takes, in milliseconds; `prepare` comes before each and is not timed. */
  measure(base: string, work: TimedWork): Promise<number>
}

interface TimedWork {
  readonly request: WireRequest
  readonly count: number
  readonly prepare?: () => Promise<void>
}

export function createTimedClient(): TimedClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async measure(base, { request, count, prepare = async () => {} }) {
      let time = 0
      for (let done = 0; done < count; done += 1) {
        await prepare()
        const start = performance.now()
        const { status } = await send(base, request, agent)
        time += performance.now() - start
        if (status !== 200) throw new Error(`Failed to measure: an answer had status ${status}.`)
      }
      return time / count
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

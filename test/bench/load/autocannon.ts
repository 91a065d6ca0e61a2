import type { Processes } from '../processes.ts'
import { toHeaders } from '../wire.ts'
import { CONNECTIONS, type Load } from './load.ts'

const SCRIPT = new URL('run-autocannon.ts', import.meta.url).pathname

/** The load of autocannon, in a process of its own: https://github.com/mcollina/autocannon */
export function createAutocannon(processes: Processes): Load {
  return {
    name: `autocannon -c ${CONNECTIONS} -d 1, in a process of its own`,
    async measure(base, requests, duration = 1) {
      const basePath = new URL(base).pathname.replace(/\/$/, '')
      const options = {
        url: base,
        connections: CONNECTIONS,
        duration,
        requests: requests.map((each) => ({ ...each, path: basePath + each.path, headers: toHeaders(each) })),
      }
      const output = await processes.run(process.execPath, [SCRIPT, JSON.stringify(options)])
      const { sent, seconds, failed } = JSON.parse(output) as { sent: number; seconds: number; failed: number }
      if (sent > 0 && failed === 0) return sent / seconds
      throw new Error(`Failed to measure: ${failed} of ${sent} requests to ${base} went wrong.`)
    },
  }
}

import { fileURLToPath } from 'node:url'
import type { Processes } from '../processes.ts'
import { toHeaders } from '../wire.ts'
import { CONNECTIONS, type Load } from './load.ts'

const SCRIPT = fileURLToPath(new URL('run-autocannon.ts', import.meta.url))

interface Figures {
  readonly sent: number
  readonly seconds: number
  readonly failed: number
  readonly p99: number
}

/** The load of autocannon, in a process of its own: https://github.com/mcollina/autocannon */
export function createAutocannon(processes: Processes): Load {
  return {
    name: 'autocannon -d 1, in a process of its own',
    async measure(base, requests, { duration = 1, connections = CONNECTIONS } = {}) {
      const basePath = new URL(base).pathname.replace(/\/$/, '')
      const options = {
        url: base,
        connections,
        duration,
        requests: requests.map((each) => ({ ...each, path: basePath + each.path, headers: toHeaders(each) })),
      }
      const output = await processes.run(process.execPath, [SCRIPT, JSON.stringify(options)])
      const { sent, seconds, failed, p99 } = JSON.parse(output) as Figures
      if (sent > 0 && failed === 0) return { rate: sent / seconds, p99 }
      throw new Error(`Failed to measure: ${failed} of ${sent} requests to ${base} went wrong.`)
    },
  }
}

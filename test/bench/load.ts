import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasProgram } from '../machine.ts'
import { hasPeer } from './builds.ts'
import { type Processes, toScript } from './processes.ts'
import { toHeaders, type WireRequest } from './wire.ts'

/** How many connections send requests at once, where a measurement does not say. */
const CONNECTIONS = 32

/** What a load met: `rate` and `p99`. */
export type LoadFigures = {
  /** Requests per second. */
  readonly rate: number
  /** 99 of 100 responses came within this time, in milliseconds. */
  readonly p99: number
}

/** Sends as many requests as a server can take. */
export interface Load {
  readonly name: string
  /**
   * Sends the requests in turn for a second, over 32 connections unless it is told otherwise.
   * @throws {Error} if a response has an error status (wrk counts those from 400), or none came.
   */
  measure(base: string, requests: readonly [WireRequest, ...WireRequest[]], connections?: number): Promise<LoadFigures>
}

/** `wrk` where it is on the PATH, else autocannon in a process of its own where it is installed. */
export function createLoad(processes: Processes, folder: string): Load {
  if (hasProgram('wrk')) return createWrk(processes, folder)
  if (hasPeer('autocannon')) return createAutocannon(processes)
  return { name: 'none', measure: () => Promise.reject(new Error('there is neither wrk nor autocannon')) }
}

/** The load of wrk, in one thread: https://github.com/wg/wrk */
function createWrk(processes: Processes, folder: string): Load {
  let count = 0
  return {
    name: 'wrk -t1 -d1s',
    async measure(base, requests, connections = CONNECTIONS) {
      const script = join(folder, `wrk-${count++}.lua`)
      writeFileSync(script, toLua(new URL(base).pathname, requests))
      const output = await processes.run('wrk', ['-t1', `-c${connections}`, '-d1s', '-s', script, base])
      const figures = /^RESULT (\d+) (\d+) (\d+) (\d+)$/m.exec(output) ?? []
      const [, sent = 0, microseconds = 0, failed = 0, p99 = 0] = figures.map(Number)
      if (sent > 0 && failed === 0) return { rate: (sent / microseconds) * 1e6, p99: p99 / 1000 }
      throw new Error(`Failed to measure: ${failed} of ${sent} requests to ${base} went wrong.`)
    },
  }
}

/** The requests are written once, before the first is sent. */
function toLua(basePath: string, requests: readonly WireRequest[]): string {
  const calls = requests.map((request) => {
    const { method, path, body } = request
    const headers = Object.entries(toHeaders(request)).map(([name, value]) => `[ ${quote(name)} ] = ${quote(value)}`)
    const target = quote(basePath.replace(/\/$/, '') + path)
    return `wrk.format(${quote(method)}, ${target}, { ${headers.join(', ')} }, ${body === undefined ? 'nil' : quote(body)})`
  })
  return `local requests, turn = {}, 0
function init()
  requests = { ${calls.join(',\n    ')} }
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("\\nRESULT %d %d %d %d\\n", summary.requests, summary.duration, failed, latency:percentile(99)))
end
`
}

/** A string of Lua's in a form that needs no escapes. */
function quote(text: string): string {
  return `[==[${text}]==]`
}

/** The load of autocannon, in a process of its own: https://github.com/mcollina/autocannon */
function createAutocannon(processes: Processes): Load {
  return {
    name: 'autocannon -d 1, in a process of its own',
    async measure(base, requests, connections = CONNECTIONS) {
      const basePath = new URL(base).pathname.replace(/\/$/, '')
      const options = {
        url: base,
        connections,
        duration: 1,
        requests: requests.map((each) => ({ ...each, path: basePath + each.path, headers: toHeaders(each) })),
      }
      const output = await processes.run(process.execPath, [toScript('run-autocannon'), JSON.stringify(options)])
      const { sent, seconds, failed, p99 } = JSON.parse(output) as Record<'sent' | 'seconds' | 'failed' | 'p99', number>
      if (sent > 0 && failed === 0) return { rate: sent / seconds, p99 }
      throw new Error(`Failed to measure: ${failed} of ${sent} requests to ${base} went wrong.`)
    },
  }
}

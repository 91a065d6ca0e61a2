import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasProgram } from '../machine.ts'
import type { Processes } from './processes.ts'
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

/** The load of wrk, in one thread: https://github.com/wg/wrk */
export function createLoad(processes: Processes, folder: string): Load {
  if (!hasProgram('wrk')) return { name: 'none', measure: () => Promise.reject(new Error('wrk is not on the PATH')) }
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

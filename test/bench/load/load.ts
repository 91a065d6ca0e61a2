import { hasProgram } from '../has-program.ts'
import type { Processes } from '../processes.ts'
import { hasPeer } from '../servers/peer-package.ts'
import type { WireRequest } from '../wire.ts'
import { createAutocannon } from './autocannon.ts'
import { createWrk } from './wrk.ts'

/** How many connections ask at once. */
export const CONNECTIONS = 32

/** What sends as many requests as a server can take. */
export interface Load {
  readonly name: string
  /**
   * Requests per second; more than one request are sent in turn.
   * @param duration In seconds. @default 1
   * @throws {Error} where an answer had an error status (wrk counts those from 400), or none came.
   */
  measure(base: string, requests: readonly [WireRequest, ...WireRequest[]], duration?: number): Promise<number>
}

/** `wrk` where it is on the PATH, else autocannon in a process of its own where it is installed. */
export function createLoad(processes: Processes, folder: string): Load | undefined {
  if (hasProgram('wrk')) return createWrk(processes, folder)
  return hasPeer('autocannon') ? createAutocannon(processes) : undefined
}

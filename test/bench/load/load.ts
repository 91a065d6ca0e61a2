import { hasProgram } from '../has-program.ts'
import type { Processes } from '../processes.ts'
import { hasPeer } from '../servers/peer-package.ts'
import type { WireRequest } from '../wire.ts'
import { createAutocannon } from './autocannon.ts'
import { createWrk } from './wrk.ts'

/** How many connections send requests at once, where a measurement does not say. */
export const CONNECTIONS = 32

interface LoadOptions {
  /** In seconds. @default 1 */
  readonly duration?: number
  /** @default 32 */
  readonly connections?: number
}

export interface LoadResult {
  /** Requests per second. */
  readonly rate: number
  /** 99 of 100 responses came within this time, in milliseconds. */
  readonly p99: number
}

/** Sends as many requests as a server can take. */
export interface Load {
  readonly name: string
  /**
   * Sends the requests in turn.
   * @throws {Error} if a response has an error status (wrk counts those from 400), or none came.
   */
  measure(base: string, requests: readonly [WireRequest, ...WireRequest[]], options?: LoadOptions): Promise<LoadResult>
}

/** `wrk` where it is on the PATH, else autocannon in a process of its own where it is installed. */
export function createLoad(processes: Processes, folder: string): Load | undefined {
  if (hasProgram('wrk')) return createWrk(processes, folder)
  return hasPeer('autocannon') ? createAutocannon(processes) : undefined
}

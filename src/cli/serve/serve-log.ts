import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import type { Violation } from '../../check/serve-checked.ts'
import { VERSION } from '../../contract/version.ts'
import { HIDDEN } from '../../http/hide-credentials.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'
import type { Mock } from '../../service/create-mock.ts'
import type { Io } from '../io.ts'

export const LOG_FORMATS = ['pretty', 'json', 'silent'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** That the server answers. */
export interface Listening {
  readonly url: string
  readonly port: number
  /** Where the console is, where there is one. */
  readonly console: string | undefined
  readonly fixture: string
  readonly service: Pick<Mock, 'apiKey' | 'inventory'>
}

/** What `serve` says while it runs. */
export interface ServeLog {
  listening(event: Listening): void
  /** Left out where nothing is to be said of requests. */
  readonly request?: (entry: RequestLogEntry) => void
  /** An answer that is not what the specification says. */
  violation(violation: Violation): void
  /** A changed fixture was loaded. */
  reloaded(fixture: string, pets: number): void
  /** A changed fixture was not loaded. */
  refused(message: string): void
}

export function createServeLog(format: LogFormat, io: Io): ServeLog {
  return { pretty: createPrettyLog, json: createJsonLog, silent: createSilentLog }[format](io)
}

function createPrettyLog(io: Io): ServeLog {
  return {
    listening({ url, console, fixture, service }) {
      // The log of a shared machine is no place for a key that somebody chose.
      const key = service.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : HIDDEN
      io.out(`petstore-mock ${VERSION} answers at ${url}`)
      io.out(`  fixture  ${fixture}, ${service.inventory.size} pets`)
      io.out(`  key      ${key}`)
      io.out(`  try      curl -H 'authorization: Bearer ${key}' ${url}/inventory`)
      if (console === undefined) return
      io.out(`  control  ${new URL('health', console).href}`)
      io.out(`  console  ${console}`)
    },
    request({ time, method, path, status, duration }) {
      const clock = time.toISOString().slice(11, 19)
      io.out(`${clock} ${method} ${path} ${status ?? 'closed'} ${duration.toFixed(1)} ms`)
    },
    violation({ method, path, status, violations }) {
      for (const violation of violations) io.err(`${method} ${path} ${status}: ${violation}`)
    },
    reloaded: (fixture, pets) => io.out(`${fixture} is loaded again, ${pets} pets`),
    refused: (message) => io.err(`${message}\nThe state stays as it was.`),
  }
}

function createJsonLog(io: Io): ServeLog {
  const write = (event: string, fields: object): void => io.out(JSON.stringify({ event, ...fields }))
  return {
    listening: ({ url, port, console, fixture, service }) =>
      write('listening', { url, port, console, fixture, pets: service.inventory.size, version: VERSION }),
    request: (entry) => write('request', entry),
    violation: (violation) => write('violation', violation),
    reloaded: (fixture, pets) => write('reloaded', { fixture, pets }),
    refused: (message) => write('refused', { message }),
  }
}

function createSilentLog(): ServeLog {
  const nothing = (): void => {}
  return { listening: nothing, violation: nothing, reloaded: nothing, refused: nothing }
}

import { DEFAULT_API_KEY, DEFAULT_SANDBOX } from '../../auth/authenticator.ts'
import type { Violation } from '../../check/serve-checked.ts'
import { VERSION } from '../../contract/version.ts'
import { HIDDEN } from '../../http/hide-credentials.ts'
import { escapeControls } from '../../http/quote.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'
import type { StateSummary } from '../../sandbox/state-document.ts'
import type { Mock } from '../../service/create-mock.ts'
import { count } from '../count.ts'
import type { Io } from '../io.ts'
import { createPaint, type Paint } from '../paint.ts'
import type { UnstableOperation } from './note-stability.ts'

export const LOG_FORMATS = ['pretty', 'json', 'silent'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** The event that the server is ready. */
interface Listening {
  readonly url: string
  readonly port: number
  /** The URL of the console; `undefined` if it is off. */
  readonly console: string | undefined
  /** Why the console is off; `undefined` if it is on. */
  readonly noConsole: string | undefined
  readonly fixture: string
  /** The number of pets in the fixture. A state file may hold others. */
  readonly fixturePets: number
  readonly state: LoadedState | undefined
  /** The other settings that differ from their defaults: flag and value. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  readonly service: Pick<Mock, 'apiKey' | 'inventory'>
}

/** What was loaded from the file of `--state`. */
interface LoadedState {
  /** The file, as the user named it. */
  readonly file: string
  /** The content of the file; `undefined` if there is no file yet. */
  readonly summary: StateSummary | undefined
  /** Whether the default sandbox has a different seed than `--fixture`. */
  readonly isOtherFixture: boolean
}

/** A request, with what to do about its rejection. */
interface LoggedRequest extends RequestLogEntry {
  readonly hint?: string
}

/** The number of pets in a fixture, or of stubs. */
type ReloadedContent = { readonly pets: number } | { readonly stubs: number }

/** The log of a running `serve`. */
export interface ServeLog {
  /** Announces slow work. */
  progress(line: string): void
  listening(event: Listening): void
  /** Absent if requests are not logged. */
  readonly request?: (entry: LoggedRequest) => void
  /** The first request to an unstable operation. */
  unstable(operation: UnstableOperation): void
  /** A response that violates the specification. */
  violation(violation: Violation): void
  /** The state was saved to a file. */
  saved(file: string, summary: StateSummary): void
  /** A changed file was loaded. */
  reloaded(file: string, content: ReloadedContent): void
  /** A changed file was rejected, and the mock keeps what it has. */
  refused(message: string, kept: 'state' | 'stubs'): void
}

/** The output of a log. */
export type LogIo = Pick<Io, 'out' | 'err' | 'env' | 'isTerminal'>

export function createServeLog(format: LogFormat, io: LogIo): ServeLog {
  return { pretty: createPrettyLog, json: createJsonLog, silent: createSilentLog }[format](io)
}

const STABILITY_NOTES: Readonly<Record<UnstableOperation['stability'], string>> = {
  experimental: 'its requests may change in a later version of the service.',
  deprecated: 'the service will remove it.',
}

function createPrettyLog(io: LogIo): ServeLog {
  const paint = createPaint(io, 'out')
  const paintError = createPaint(io, 'err')
  const heading = (name: string): string => `  ${paint('dim', name.padEnd(8))} `
  return {
    progress: io.err,
    listening({ url, console, noConsole, fixture, fixturePets, state, settings, service }) {
      // Others may read the log, so it never shows a key that somebody chose.
      const isOwnKey = service.apiKey !== DEFAULT_API_KEY
      const example = isOwnKey ? 'YOUR_KEY' : DEFAULT_API_KEY
      io.out(`petstore-mock ${VERSION} is listening on ${paint('cyan', url)}`)
      io.out(`${heading('fixture')}${fixture}, ${count(fixturePets, 'pet')}`)
      if (state !== undefined) io.out(`${heading('state')}${state.file}, ${describeLoaded(state)}`)
      if (state?.isOtherFixture === true)
        io.out(`${heading('')}it overrides the fixture ${fixture} until you reset a sandbox`)
      for (const [name, value] of settings) io.out(heading(name) + value)
      io.out(`${heading('key')}${isOwnKey ? HIDDEN : DEFAULT_API_KEY}`)
      io.out(`${heading('try')}curl -H 'authorization: Bearer ${example}' ${url}/inventory`)
      if (console === undefined) return io.out(`${heading('console')}off: ${noConsole}`)
      io.out(`${heading('control')}${paint('cyan', new URL('health', console).href)}`)
      io.out(`${heading('console')}${paint('cyan', console)}`)
    },
    request({ time, method, path, status, duration, ...notes }) {
      const clock = time.toISOString().slice(11, 19)
      io.out(
        `${clock} ${method} ${path} ${paintStatus(status, paint)} ${duration.toFixed(1)} ms${describeNotes(notes)}`,
      )
    },
    unstable: ({ id, method, path, stability }) =>
      io.out(`${id} (${method} ${path}) is ${stability}: ${STABILITY_NOTES[stability]}`),
    violation({ method, path, status, violations }) {
      for (const violation of violations)
        io.err(paintError('red', `${method} ${path} ${status}: ${escapeControls(violation)}`))
    },
    saved: (file, summary) => io.out(`Saved ${file}: ${describeSummary(summary)}`),
    reloaded: (file, content) => io.out(`Reloaded ${file}: ${describeReloaded(content)}`),
    refused: (message, kept) =>
      io.err(`${paintError('red', message)}\nThe ${kept} ${kept === 'stubs' ? 'are' : 'is'} unchanged.`),
  }
}

/** Why a request was refused, by which fault, in which sandbox. */
function describeNotes({ sandbox, error, hint, fault, isProxied, isStubbed }: Partial<LoggedRequest>): string {
  const name = sandbox === undefined || sandbox === DEFAULT_SANDBOX ? '' : ` [${sandbox}]`
  const source = isProxied === true ? 'proxied' : isStubbed === true ? 'stub' : undefined
  const place = source === undefined ? name : `${name} not specified (${source})`
  const cause = fault === undefined ? '' : ` by fault ${fault.id}${describeFault(fault)}`
  if (error === undefined || isResponse(fault)) return place + cause
  return `${place}${cause} ${error.message}${hint === undefined ? '' : `. ${hint}`}`
}

/** Whether a fault made the response. One that only delays leaves it to the service. */
export function isResponse(fault: RequestLogEntry['fault']): boolean {
  return fault?.status !== undefined || fault?.error !== undefined
}

function describeFault({ status, error }: NonNullable<RequestLogEntry['fault']>): string {
  if (error !== undefined) return ` (${error})`
  return status === undefined ? ' (delay)' : ''
}

function paintStatus(status: number | undefined, paint: Paint): string {
  if (status === undefined) return paint('red', 'closed')
  if (status < 400) return paint('green', String(status))
  return paint(status < 500 ? 'yellow' : 'red', String(status))
}

function describeLoaded({ summary }: LoadedState): string {
  return summary === undefined ? 'a new file' : `loaded: ${describeSummary(summary)}`
}

function describeSummary({ sandboxes, changes }: StateSummary): string {
  return `${count(sandboxes, 'sandbox', 'sandboxes')}, ${count(changes, 'change')}`
}

function describeReloaded(content: ReloadedContent): string {
  if ('pets' in content) return `${count(content.pets, 'pet')}; all sandboxes were reset`
  return count(content.stubs, 'stub')
}

function createJsonLog(io: LogIo): ServeLog {
  const write = (event: string, fields: object): void => io.out(JSON.stringify({ event, ...fields }))
  return {
    progress: () => {},
    listening: ({ url, port, console, noConsole, fixture, state, service }) =>
      write('listening', {
        url,
        port,
        console,
        noConsole,
        fixture,
        pets: service.inventory.size,
        state: state && { file: state.file, ...state.summary, isOtherFixture: state.isOtherFixture },
        version: VERSION,
      }),
    request: (entry) => write('request', entry),
    unstable: ({ id, method, path, stability }) => write('stability', { operation: id, method, path, stability }),
    violation: (violation) => write('violation', violation),
    saved: (file, summary) => write('saved', { file, ...summary }),
    reloaded: (file, content) =>
      write('reloaded', 'pets' in content ? { fixture: file, ...content } : { file, ...content }),
    refused: (message) => write('refused', { message }),
  }
}

function createSilentLog(): ServeLog {
  const nothing = (): void => {}
  return {
    progress: nothing,
    listening: nothing,
    unstable: nothing,
    violation: nothing,
    saved: nothing,
    reloaded: nothing,
    refused: nothing,
  }
}
